import { join } from 'node:path'
import { HINTS, type HintName, type HintValues } from '@hintgate/metadata'
import type { GuardrailSource } from '../policy/guardrails/guardrail.ts'
import type { ConfirmRules, ResultRules } from '../policy/rules.ts'
import { buildOAuth, buildOAuthSettings } from './build-oauth.ts'
import type {
  AgentTokenConfig,
  Config,
  Limits,
  RetryConfig,
  ServerConfig,
  ServerRules,
  TransportConfig,
} from './config.ts'
import { buildConfinement } from './confinement.ts'
import { resolvePath, resolveStore } from './resolve-path.ts'
import type { ConfigInput } from './schema/schema.ts'
import { addressOf, type ServerInput } from './schema/server-schema.ts'

export interface Places {
  /** The config file's folder, or the working folder without one. */
  readonly folder: string
  /** The user's home folder. */
  readonly homeDir: string
  /** Where Hintgate keeps its things. */
  readonly home: string
}

const MIB = 1024 * 1024
const MINUTE = 60_000
/** Below this a share would be too small to work with. */
const LEAST_SHARE = 16

/** Fills in every default and makes every path absolute. */
export function buildConfig(input: ConfigInput, places: Places): Config {
  return {
    listen: input.listen ?? { host: '127.0.0.1', port: 4428 },
    store: input.store === undefined ? defaultStore(places.home) : resolveStore(input.store, places),
    profile: input.profile ?? 'gateway',
    intent: input.intent ?? 'strict',
    quarantine: input.quarantine ?? true,
    confirm: {
      read: input.confirm?.read ?? 'never',
      write: input.confirm?.write ?? 'never',
      destructive: input.confirm?.destructive ?? 'always',
      trifecta: input.confirm?.trifecta ?? 'declared',
      acrossSessions: input.confirm?.acrossSessions ?? isStrict(input.confirm?.trifecta),
      channel: input.confirm?.channel ?? 'any',
      remember: input.confirm?.remember ?? [],
      validMs: input.confirm?.expires ?? 10 * MINUTE,
      waitMs: input.confirm?.wait ?? 0,
    },
    servers: Object.entries(input.mcpServers ?? {}).map(([name, server]) =>
      buildServer(name, server, places),
    ),
    agentTokens: Object.entries(input.agent_tokens ?? {}).map(buildAgentToken),
    ...(input.oauth && { oauth: buildOAuth(input.oauth) }),
    overrides: buildOverrides(input.overrides ?? {}),
    policies: (input.policies ?? []).map(path => resolvePath(path, places)),
    policyDefault: input.policyDefault ?? 'allow',
    guardrails: collectGuardrails(input),
    results: { ...RESULT_RULES, ...defined(input.results ?? {}) },
    audit: { failOpenReads: input.audit?.failOpenReads ?? false },
    serverRules: mapValues(input.mcpServers ?? {}, buildServerRules),
    limits: buildLimits(input.limits ?? {}),
    ...(input.advertise !== undefined && { advertise: input.advertise }),
    allowedHosts: [...(input.allowedHosts ?? []), ...hostsOf(input.advertise)].map(host =>
      host.toLowerCase(),
    ),
    allowedOrigins: input.allowedOrigins ?? [],
    behindProxy: input.behindProxy ?? false,
    ...(input.tls && {
      tls: { cert: resolvePath(input.tls.cert, places), key: resolvePath(input.tls.key, places) },
    }),
    drainMs: input.drain ?? 10_000,
    log: { format: input.log?.format ?? 'text', level: input.log?.level ?? 'info' },
    telemetry: {
      ...(input.telemetry?.otlp !== undefined && { otlp: input.telemetry.otlp }),
      headers: input.telemetry?.headers ?? {},
      tracesPerSecond: input.telemetry?.tracesPerSecond ?? 100,
      metricsEveryMs: input.telemetry?.metricsEvery ?? MINUTE,
    },
  }
}

function hostsOf(advertise: string | undefined): readonly string[] {
  return advertise === undefined ? [] : [new URL(advertise).hostname]
}

const RESULT_RULES: ResultRules = {
  schema: 'flag',
  secrets: 'off',
  pii: 'off',
  hidden: 'flag',
  instructions: 'flag',
}

/** A rule with no way around it must not be walked around by naming another session. */
function isStrict(trifecta: ConfirmRules['trifecta'] | undefined): boolean {
  return trifecta === 'always' || trifecta === 'deny'
}

function buildServerRules({ rate, results }: ServerInput): ServerRules {
  return { ...(rate && { rate }), ...(results && { results: defined(results) }) }
}

/** From all layers, each with its place in the file, so that a mistake in it can be pointed at. */
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

/** Without what was left out. */
function defined<T extends object>(values: T): { [K in keyof T]-?: Exclude<T[K], undefined> } {
  const entries = Object.entries(values).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries) as { [K in keyof T]-?: Exclude<T[K], undefined> }
}

function defaultStore(home: string): string {
  return `sqlite:${join(home, 'data', 'hintgate.db')}`
}

export function buildServer(name: string, server: ServerInput, places: Places): ServerConfig {
  return {
    name,
    transport: buildTransport(server, places),
    trust: server.trust ?? 'reviewed',
    enabled: server.enabled ?? !(server.disabled ?? false),
    lazy: server.lazy ?? false,
    timeoutMs: server.timeout ?? MINUTE,
    startTimeoutMs: server.startTimeout ?? MINUTE / 2,
    concurrency: server.concurrency ?? 64,
    queue: server.queue ?? 256,
    isolation: server.isolation ?? 'shared',
    sessions: server.sessions ?? 128,
    sessionsPerPrincipal: server.sessionsPerPrincipal ?? 32,
    roots: server.roots ?? [],
    passMethods: server.passMethods ?? [],
    parallel: server.parallel ?? 'free',
    checkArguments: server.checkArguments ?? true,
    retry: buildRetry(server.retry ?? {}),
  }
}

function buildRetry(retry: NonNullable<ServerInput['retry']>): RetryConfig {
  const {
    attempts = 3,
    delay = 100,
    maxDelay = 5000,
    budget = 0.2,
  } = retry === false ? { attempts: 1 } : retry
  return { attempts, delayMs: delay, maxDelayMs: maxDelay, budget }
}

function buildTransport(server: ServerInput, places: Places): TransportConfig {
  const { command, type = server.transport } = server
  if (command === undefined)
    return {
      kind: type === 'sse' ? 'sse' : 'http',
      url: addressOf(server) ?? '',
      headers: server.headers ?? {},
      ...(server.oauth && { oauth: buildOAuthSettings(server.oauth) }),
    }
  return {
    kind: 'stdio',
    // A bare name is looked up on the PATH; a path is a path from where it is written down.
    command: /^\.{0,2}\/|^~\//.test(command) ? resolvePath(command, places) : command,
    args: server.args ?? [],
    env: server.env ?? {},
    cwd: resolvePath(server.cwd ?? '.', places),
    ...buildConfinement(server, places),
  }
}

function buildAgentToken([name, entry]: [
  string,
  NonNullable<ConfigInput['agent_tokens']>[string],
]): AgentTokenConfig {
  const { permissions, servers, tools, token, expires, rate, confirm } = entry
  return {
    name,
    scope: {
      permissions: [...new Set(permissions)],
      servers,
      ...(tools && { tools }),
      ...(rate && { rate }),
      ...(confirm && { confirm: defined(confirm) }),
    },
    ...(token !== undefined && { token }),
    ...(expires !== undefined && { expiresAt: expires }),
  }
}

function buildOverrides(input: NonNullable<ConfigInput['overrides']>): Config['overrides'] {
  return mapValues(input, tools => mapValues(tools, readHints))
}

function readHints(wire: Readonly<Record<string, boolean | undefined>>): HintValues {
  const names = Object.keys(HINTS) as HintName[]
  const said = names.filter(name => wire[HINTS[name].wire] !== undefined)
  return Object.fromEntries(said.map(name => [name, wire[HINTS[name].wire]]))
}

function mapValues<T, U>(record: Readonly<Record<string, T>>, change: (value: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]))
}

/** What one caller may take of what is there for all, unless the config says otherwise. */
function shareOf(all: number): number {
  return Math.min(all, Math.max(LEAST_SHARE, Math.floor(all / 4)))
}

function buildLimits(limits: NonNullable<ConfigInput['limits']>): Limits {
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
