import { setImmediate } from 'node:timers/promises'
import type { PolicySet } from '../policy/rules/policy-set.ts'
import type { Store } from '../store/store.ts'
import { type FindDefinition, type Replayed, replayCall } from './replay.ts'
import { viewCall } from './view-call.ts'

type Policies = Pick<PolicySet, 'fallback' | 'evaluate'>

export interface Comparison {
  /** Calls that were looked at, newest first. */
  readonly calls: number
  /** Those of which enough is known to judge them anew. */
  readonly judged: number
  readonly changes: readonly Replayed[]
}

interface Wanted {
  readonly before: Policies
  readonly after: Policies
  /** How many calls to look at. */
  readonly last: number
  readonly since?: number | undefined
}

const PAGE = 500

/** What other policies would have done to the last recorded calls. */
export async function replayCalls(
  store: Pick<Store, 'audit' | 'definitions'>,
  { before, after, last, since }: Wanted,
): Promise<Comparison> {
  const find = await loadDefinitions(store)
  const changes: Replayed[] = []
  let [calls, judged] = [0, 0]
  let cursor: string | undefined
  do {
    const page = await store.audit.query({
      limit: Math.min(PAGE, last - calls),
      ...(cursor === undefined ? {} : { cursor }),
      ...(since === undefined ? {} : { since }),
    })
    for (const stored of page.calls) {
      const call = viewCall(stored)
      if (call === undefined) continue
      calls += 1
      const replayed = replayCall(call, { before, after, find })
      if (replayed === undefined) continue
      judged += 1
      if (replayed.before !== replayed.after) changes.push(replayed)
    }
    cursor = page.next
    // Others are served in between: a gateway may be doing this beside its calls.
    await setImmediate()
  } while (cursor !== undefined && calls < last)
  return { calls, judged, changes }
}

/** Every version of every tool that was ever seen. */
async function loadDefinitions({ definitions }: Pick<Store, 'definitions'>): Promise<FindDefinition> {
  const known = new Map<string, string>()
  for (const server of await definitions.servers())
    for (const { kind, name, versions } of await definitions.load(server))
      if (kind === 'tool')
        for (const { fingerprint, definition } of versions)
          known.set(JSON.stringify([server, name, fingerprint]), definition)
  return (server, tool, fingerprint) => {
    const text = known.get(JSON.stringify([server, tool, fingerprint]))
    return text === undefined ? undefined : JSON.parse(text)
  }
}
