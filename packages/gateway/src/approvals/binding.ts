import { createHash } from 'node:crypto'
import type { Channel } from '../policy/rules.ts'
import { writeSorted } from '../protocol/write-sorted.ts'

/** What exactly somebody is asked to allow. */
export interface Bound {
  readonly principal: string
  readonly session: string
  /** `server:tool`. */
  readonly tool: string
  readonly fingerprint: string
  readonly args: unknown
  /** The version of all rules. */
  readonly rules: string
  /** Who may answer, and which rules ask: a yes to an easier question is none to a harder one. */
  readonly channel: Channel
  readonly asking: readonly string[]
}

/** One call, the same arguments again, or the whole session: each as a digest that fits nothing else. */
export interface Bindings {
  readonly once: string
  readonly arguments: string
  readonly session: string
}

export function bindingsOf(bound: Bound): Bindings {
  const { principal, session, tool, fingerprint, args, rules, channel, asking } = bound
  const common = [principal, tool, fingerprint, rules, channel, [...new Set(asking)].toSorted()]
  const digest = digestOf(writeSorted(args))
  return {
    once: digestOf(JSON.stringify(['once', ...common, digest])),
    arguments: digestOf(JSON.stringify(['arguments', ...common, digest])),
    session: digestOf(JSON.stringify(['session', ...common, session])),
  }
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}

/** What is left of an approval when a server asks in turn: only who holds its sealed state can go on with it. */
export function continued(once: string): string {
  return once.startsWith(CONTINUED) ? once : `${CONTINUED}${once}`
}

const CONTINUED = 'continued '
