import { join } from 'node:path'
import { type Consequence, HINTS, type HintName, type HintValues } from '@hintgate/metadata'
import type { GuardrailSource } from '../policy/guardrails/guardrail.ts'
import type { ConfirmRules, ResultRules } from '../policy/rules.ts'
import type { Rate, Scope } from '../scope/scope.ts'
import { buildNotify } from './build-notify.ts'
import { buildServer } from './build-server.ts'
import { type BaseFolders, resolvePath, resolveStore } from './resolve-path.ts'
import { defined, type Frozen } from './schema/defined.ts'
import { buildOAuth } from './schema/oauth-config.ts'
import type { ConfigInput } from './schema/schema.ts'
import type { ServerInput } from './schema/server-schema.ts'

export type { ServerConfig, TransportConfig } from './build-server.ts'

// The config's keys are described in `schema/`.

/** The configuration after parsing, with every default filled in, every secret resolved and every path absolute. */
export type Config = Frozen<ReturnType<typeof buildConfig>>
export type TelemetryConfig = Config['telemetry']
export type Limits = Frozen<ReturnType<typeof buildLimits>>
/** An agent's scope. Without `token`, its secret is created with `hintgate tokens create`. */
export type AgentTokenConfig = Frozen<ReturnType<typeof buildAgentToken>>
type AgentTokenInput = NonNullable<ConfigInput['agent_tokens']>[string]

const MIB = 1024 * 1024
const MINUTE = 60_000

export interface ConfigFolders extends BaseFolders {
  readonly home: string
}

export function buildConfig(input: ConfigInput, folders: ConfigFolders) {
  return {
    listen: input.listen ?? { host: '127.0.0.1', port: 4428 },
    store: input.store === undefined ? defaultStore(folders.home) : resolveStore(input.store, folders),
    profile: input.profile ?? 'gateway',
    intent: input.intent ?? 'strict',
    quarantine: input.quarantine ?? true,
    confirm: {
      read: input.confirm?.read ?? 'never',
      write: input.confirm?.write ?? 'never',
      destructive: input.confirm?.destructive ?? 'always',
      trifecta: input.confirm?.trifecta ?? 'declared',
      acrossSessions: input.confirm?.acrossSessions ?? isStrict(input.confirm?.trifecta),
      provenance: input.confirm?.provenance ?? 'targets',
      channel: input.confirm?.channel ?? 'any',
      remember: input.confirm?.remember ?? [],
      approvers: input.confirm?.approvers ?? [],
      validMs: input.confirm?.expires ?? 10 * MINUTE,
      waitMs: input.confirm?.wait ?? 0,
    },
    search: { semantic: input.search?.semantic ?? false, folder: folders.folder },
    servers: Object.entries(input.mcpServers ?? {}).map(([name, server]) =>
      buildServer(name, server, folders),
    ),
    agentTokens: Object.entries(input.agent_tokens ?? {}).map(buildAgentToken),
    ...(input.oauth && { oauth: buildOAuth(input.oauth) }),
    notify: (input.notify ?? []).map(buildNotify),
    ...defined({ publicUrl: input.publicUrl }),
    overrides: buildOverrides(input.overrides ?? {}),
    policies: (input.policies ?? []).map(path => resolvePath(path, folders)),
    policyDefault: input.policyDefault ?? 'allow',
    guardrails: collectGuardrails(input),
    results: { ...RESULT_RULES, ...defined(input.results ?? {}) },
    audit: { failOpenReads: input.audit?.failOpenReads ?? false },
    serverRules: mapValues(input.mcpServers ?? {}, buildServerRules),
    limits: buildLimits(input.limits ?? {}),
    ...defined({ advertise: input.advertise }),
    allowedHosts: [
      ...(input.allowedHosts ?? []),
      ...hostsOf(input.advertise),
      ...hostsOf(input.publicUrl),
    ].map(host => host.toLowerCase()),
    allowedOrigins: input.allowedOrigins ?? [],
    behindProxy: input.behindProxy ?? false,
    ...(input.tls && {
      tls: { cert: resolvePath(input.tls.cert, folders), key: resolvePath(input.tls.key, folders) },
    }),
    drainMs: input.drain ?? 10_000,
    log: { format: input.log?.format ?? 'text', level: input.log?.level ?? 'info' },
    telemetry: {
      ...defined({ otlp: input.telemetry?.otlp }),
      headers: input.telemetry?.headers ?? {},
      tracesPerSecond: input.telemetry?.tracesPerSecond ?? 100,
      metricsEveryMs: input.telemetry?.metricsEvery ?? MINUTE,
    },
  }
}

function hostsOf(url: string | undefined): readonly string[] {
  return url === undefined ? [] : [new URL(url).hostname]
}

const RESULT_RULES: ResultRules = {
  schema: 'flag',
  secrets: 'off',
  pii: 'off',
  hidden: 'flag',
  instructions: 'flag',
}

/** True if the trifecta rule is strict. Agents must then not be able to evade it by naming another session. */
function isStrict(trifecta: ConfirmRules['trifecta'] | undefined): boolean {
  return trifecta === 'always' || trifecta === 'deny'
}

function buildServerRules({ rate, results }: ServerInput): {
  readonly rate?: Rate
  readonly results?: Partial<ResultRules>
} {
  return defined({ rate, results: results && defined(results) })
}

/** Collects the guardrails of all layers, each with its path in the file, so that problems can be located. */
function collectGuardrails({ guardrails, agent_tokens, mcpServers }: ConfigInput): GuardrailSource[] {
  const servers = Object.entries(mcpServers ?? {})
  const found: GuardrailSource[] = [
    { layer: 'global', path: ['guardrails'], rules: guardrails ?? [] },
    ...Object.entries(agent_tokens ?? {}).map(([agent, { guardrails: rules = [] }]) => {
      return { layer: 'agent' as const, agent, path: ['agent_tokens', agent, 'guardrails'], rules }
    }),
    ...servers.map(([server, { guardrails: rules = [] }]) => {
      return { layer: 'server' as const, server, path: ['mcpServers', server, 'guardrails'], rules }
    }),
    ...servers.flatMap(([server, { toolGuardrails = {} }]) =>
      Object.entries(toolGuardrails).map(([tool, rules]) => {
        const path = ['mcpServers', server, 'toolGuardrails', tool]
        return { layer: 'tool' as const, server, tools: [tool], path, rules }
      }),
    ),
  ]
  return found.filter(({ rules }) => rules.length > 0)
}

function defaultStore(home: string): string {
  return `sqlite:${join(home, 'data', 'hintgate.db')}`
}

function buildAgentToken([name, entry]: [string, AgentTokenInput]) {
  const { permissions, servers, tools, token, expires, rate, confirm, statesTask } = entry
  const scope: Scope = {
    permissions: [...new Set(permissions)],
    servers,
    ...defined({ tools, rate, confirm: confirm && defined(confirm), statesTask }),
  }
  return { name, scope, ...defined({ token, expiresAt: expires }) }
}

/** A tool's configured hints, and the consequences of calling it. */
export interface ConfiguredOverride {
  readonly hints: HintValues
  readonly consequence?: readonly Consequence[]
}

type OverrideInput = NonNullable<ConfigInput['overrides']>[string][string]

function buildOverrides(input: NonNullable<ConfigInput['overrides']>) {
  return mapValues(input, tools => mapValues(tools, buildOverride))
}

function buildOverride({ consequence, ...wire }: OverrideInput): ConfiguredOverride {
  return { hints: readHints(wire), ...defined({ consequence }) }
}

function readHints(wire: Readonly<Record<string, boolean | undefined>>): HintValues {
  const names = Object.keys(HINTS) as HintName[]
  const given = names.filter(name => wire[HINTS[name].wire] !== undefined)
  return Object.fromEntries(given.map(name => [name, wire[HINTS[name].wire]]))
}

function mapValues<T, U>(record: Readonly<Record<string, T>>, change: (value: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]))
}

/** Minimum for the default limits per caller. With lower limits, a client could not work. */
const LEAST_SHARE = 16

/** Returns the default limit per caller, which is a share of the limit for all callers. */
function shareOf(all: number): number {
  return Math.min(all, Math.max(LEAST_SHARE, Math.floor(all / 4)))
}

function buildLimits(limits: NonNullable<ConfigInput['limits']>) {
  const { parkedCalls = 1000, streams = 2000, concurrentCalls = 1000 } = limits
  return {
    bodyBytes: limits.body ?? 4 * MIB,
    headerBytes: limits.headers ?? 16 * 1024,
    batch: limits.batch ?? 100,
    jsonDepth: limits.jsonDepth ?? 100,
    members: limits.members ?? 50_000,
    sessions: limits.sessions ?? 10_000,
    sessionsPerPrincipal: limits.sessionsPerPrincipal ?? 1000,
    sessionIdleMs: limits.sessionIdle ?? 30 * MINUTE,
    parkedCalls,
    parkedPerPrincipal: limits.parkedPerPrincipal ?? shareOf(parkedCalls),
    parkedMs: limits.parkedTime ?? 10 * MINUTE,
    streams,
    streamsPerPrincipal: limits.streamsPerPrincipal ?? shareOf(streams),
    streamBytes: limits.streamQueue ?? 4 * MIB,
    concurrentCalls,
    callsPerPrincipal: limits.callsPerPrincipal ?? shareOf(concurrentCalls),
    bodyBytesPerPrincipal: limits.bodiesPerPrincipal ?? 64 * MIB,
    bodyMs: limits.bodyTime ?? 10_000,
    unreadMs: limits.unreadTime ?? 30_000,
    unreadBytesPerPrincipal: limits.unreadPerPrincipal ?? 64 * MIB,
    unreadBytes: limits.unreadTotal ?? 512 * MIB,
    connections: limits.connections ?? 10_000,
    resultBytes: limits.result ?? 32 * MIB,
    answerChars: limits.answer ?? 40_000,
    keptMs: limits.kept ?? 60 * MINUTE,
    keptBytesPerPrincipal: limits.keptPerPrincipal ?? 64 * MIB,
    keptBytes: limits.keptTotal ?? 1024 * MIB,
    batchReads: limits.batchReads ?? 20,
  }
}
