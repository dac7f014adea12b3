import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { QuestionStatistics } from '../../audit/question-figures.ts'
import { attempt } from '../../base/attempt.ts'
import { loadDesk } from '../../catalog/review/review-item.ts'
import type { ServerConfig } from '../../config/config.ts'
import type { LoadedConfig } from '../../config/load-config.ts'
import { checkNotifications } from '../../doctor/check-notifications.ts'
import { checkQuestions } from '../../doctor/check-questions.ts'
import { checkClock, findLatestMoment } from '../../doctor/check-store.ts'
import { type Examination, examine } from '../../doctor/examine.ts'
import { checkServers, checkToolless, type Probe, probeServer } from '../../doctor/probe-server.ts'
import type { Store } from '../../store/store.ts'
import { loadSecretKey } from '../../tokens/secret-key.ts'
import type { Authority } from '../../upstream/http/refused-token.ts'
import { createUpstreamOAuth } from '../../upstream/oauth/upstream-oauth.ts'
import type { Context } from '../terminal/context.ts'

export interface ProbeOptions {
  readonly connect?: boolean | undefined
  readonly onWait?: ((servers: readonly string[]) => void) | undefined
}

const MOST_FAILURES = 200

/** Checks a config and, if there is one, its store. */
export async function examineStore(
  loaded: LoadedConfig & { readonly store?: Store },
  options: ProbeOptions,
  now: number,
): Promise<Examination> {
  const { config, store } = loaded
  const context = store === undefined ? { config, known: [], items: [] } : await loadDesk(store, config)
  // At time 0 this removes nothing, but it fails if the store is read-only.
  await store?.results.removeExpired(0)
  const found = examine(context, (await store?.tokens.list()) ?? [], now)
  const latest = store && (await findLatestMoment(store, context.known))
  const clock = checkClock({ now, platform: process.platform, latest })
  const untold = checkNotifications((await store?.notifications.failures(MOST_FAILURES)) ?? [], now)
  const asking =
    store === undefined
      ? []
      : checkQuestions((await new QuestionStatistics(store.audit, () => now).figures()).rules)
  const probes = await probeAll(loaded, options)
  const protocol = new Map(probes.map(probe => [probe.server, probe.protocol]))
  const live = [...checkServers(probes, config.servers), ...checkToolless(context, probes)]
  return {
    findings: [...found.findings, ...clock, ...untold, ...asking, ...live],
    servers: found.servers.map(summary => ({ ...summary, ...protocol.get(summary.server) })),
  }
}

async function probeAll(
  loaded: Partial<Context> & LoadedConfig,
  { connect, onWait }: ProbeOptions,
): Promise<readonly Probe[]> {
  const { config, home, store } = loaded
  const { servers, limits } = config
  const chosen = connect === true ? servers.filter(({ enabled }) => enabled) : []
  if (chosen.length === 0) return []
  const authorityOf = store === undefined ? () => undefined : findAuthorities({ config, home, store })
  onWait?.(chosen.map(({ name }) => name))
  return Promise.all(chosen.map(server => probeServer(server, limits, { authority: authorityOf(server) })))
}

/** Returns a function that finds a server's OAuth credentials in the store. */
function findAuthorities({ config, store, home }: Pick<Context, 'config' | 'store' | 'home'>) {
  // Problems with the key are reported by another check.
  const key = attempt(() => loadKeyIfThere(home))
  return (server: ServerConfig): Authority | undefined =>
    key && createUpstreamOAuth(server, { config, secrets: store.secrets, key })
}

/** Loads the secret key; undefined if there is none, because a check must not create it. */
export function loadKeyIfThere(home: string, env: NodeJS.ProcessEnv = process.env): Buffer | undefined {
  const isGiven = env.HINTGATE_SECRET_KEY !== undefined || env.HINTGATE_SECRET_KEY_FILE !== undefined
  return isGiven || existsSync(join(home, 'secret.key')) ? loadSecretKey(home, env) : undefined
}
