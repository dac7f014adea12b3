import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { ServerConfig } from '../../config/config.ts'
import type { LoadedConfig } from '../../config/load-config.ts'
import { checkClock, findLatestMoment } from '../../doctor/check-store.ts'
import { type Examination, examine } from '../../doctor/examine.ts'
import { checkServers, checkToolless, type Probe, probeServer } from '../../doctor/probe-server.ts'
import { describeTokens } from '../../tokens/describe-token.ts'
import { loadSecretKey } from '../../tokens/secret-key.ts'
import type { Authority } from '../../upstream/http/http-channel.ts'
import { createUpstreamOAuth } from '../../upstream/oauth/create-upstream-oauth.ts'
import { type Desk, openDesk } from '../client/review-desk.ts'
import type { Context } from '../terminal/context.ts'

interface Wish {
  readonly connect?: boolean | undefined
  readonly onWait?: ((servers: readonly string[]) => void) | undefined
}

/** What there is to say of a config and of what its store knows. */
export async function examineStore(context: Context, wish: Wish, now: number): Promise<Examination> {
  const { known, items, overrides, config, store } = await openDesk(context)
  // Forgets nothing, and fails where nothing can be written.
  await store.results.removeExpired(0)
  const found = examine({
    config,
    known,
    items,
    overrideOf: (server, tool) => overrides.find(server, tool, config.overrides),
    tokens: describeTokens(await store.tokens.list(), config.agentTokens, now),
    path: process.env.PATH ?? '',
    now,
  })
  const latest = await findLatestMoment(store, known)
  const clock = checkClock({ now, platform: process.platform, ...(latest !== undefined && { latest }) })
  const probes = await probeAll(context, wish, context)
  return withProbes({ ...found, findings: [...found.findings, ...clock] }, probes, { config, known, items })
}

/** The same where there is no store yet, or none that may be opened. */
export async function examineEmpty(loaded: LoadedConfig, wish: Wish, now: number): Promise<Examination> {
  const { config } = loaded
  const found = examine({
    config,
    known: [],
    items: [],
    overrideOf: () => undefined,
    tokens: describeTokens([], config.agentTokens, now),
    path: process.env.PATH ?? '',
    now,
  })
  const clock = checkClock({ now, platform: process.platform })
  const probes = await probeAll(loaded, wish)
  const nothing = { config, known: [], items: [] }
  return withProbes({ ...found, findings: [...found.findings, ...clock] }, probes, nothing)
}

async function probeAll(
  { config: { servers, limits } }: LoadedConfig,
  { connect, onWait }: Wish,
  context?: Context,
): Promise<readonly Probe[]> {
  const chosen = connect === true ? servers.filter(({ enabled }) => enabled) : []
  if (chosen.length === 0) return []
  const authorityOf = context === undefined ? () => undefined : findAuthorities(context)
  onWait?.(chosen.map(({ name }) => name))
  return Promise.all(chosen.map(server => probeServer(server, limits, authorityOf(server))))
}

/** Who signed in to a server is let in here, too. */
function findAuthorities({ config, store, home }: Context) {
  const key = loadUsableKey(home)
  return (server: ServerConfig): Authority | undefined =>
    key && createUpstreamOAuth(server, { config, secrets: store.secrets, key })
}

/** What is wrong with the key is told elsewhere. */
function loadUsableKey(home: string): Buffer | undefined {
  try {
    return loadKeyIfThere(home)
  } catch {
    return undefined
  }
}

function withProbes(
  { findings, servers }: Examination,
  probes: readonly Probe[],
  desk: Pick<Desk, 'config' | 'known' | 'items'>,
): Examination {
  const spoken = new Map(probes.map(probe => [probe.server, probe.spoken]))
  return {
    findings: [...findings, ...checkServers(probes, desk.config.servers), ...checkToolless(desk, probes)],
    servers: servers.map(summary => ({ ...summary, ...spoken.get(summary.server) })),
  }
}

/** The secret key, or undefined where there is none yet: nobody makes one by looking. */
export function loadKeyIfThere(home: string, env: NodeJS.ProcessEnv = process.env): Buffer | undefined {
  const isGiven = env.HINTGATE_SECRET_KEY !== undefined || env.HINTGATE_SECRET_KEY_FILE !== undefined
  return isGiven || existsSync(join(home, 'secret.key')) ? loadSecretKey(home, env) : undefined
}
