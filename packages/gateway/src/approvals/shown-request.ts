import { createHash } from 'node:crypto'
import {
  type EffectiveHints,
  HINT_NAMES,
  type HintName,
  type RiskFactor,
  type RiskView,
  type Source,
} from '@hintgate/metadata'
import type { Reason } from '../policy/facts/facts.ts'
import type { Channel, Remember } from '../policy/rules.ts'
import { writeSorted } from '../protocol/parse-json.ts'
import { shorten } from './shorten.ts'

interface Bound {
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

export interface ShownRequest {
  readonly agent: string
  readonly server: string
  readonly tool: string
  readonly title: string
  readonly action: string
  readonly variant: string
  /** Secrets masked. */
  readonly arguments: unknown
  /** What the call carries besides them. */
  readonly others?: unknown
  readonly hints: Readonly<Record<HintName, { readonly value: boolean; readonly source: Source }>>
  readonly reasons: readonly Reason[]
  readonly session_risk: RiskView
  /** Which text, in the result of which call, asks for this one. */
  readonly origin?: ShownOrigin
  /** What would change, in the words of the tool itself. */
  readonly preview?: string
  /** Not all of the arguments, or of the others, was kept. */
  readonly isCut?: true
  readonly remember: readonly Remember[]
  /** What a lasting answer is bound to. */
  readonly standing: Pick<Bindings, 'arguments' | 'session'>
}

export interface ShownOrigin {
  /** The way to the argument whose value the text names; empty where it asks for the call as a whole. */
  readonly argument: string
  readonly server: string
  readonly tool: string
  readonly request: string
  readonly at: number
  /** The beginning of the text. It is untrusted. */
  readonly passage: string
}

export function showHints(effective: EffectiveHints): ShownRequest['hints'] {
  const entries = HINT_NAMES.map(name => {
    const { value, source } = effective[name]
    return [name, { value, source }]
  })
  return Object.fromEntries(entries) as ShownRequest['hints']
}

/** Written by us and kept in our own store. Older versions called the risk factors `legs`. */
export function readShown(text: string): ShownRequest {
  const shown = JSON.parse(text) as ShownRequest & { readonly session_risk?: RiskView & FormerRisk }
  // A lasting answer keeps only part of its request, without the session risk.
  if (shown.session_risk?.legs === undefined) return shown
  const { level, legs } = shown.session_risk
  const riskFactors = legs.map(({ leg, ...by }) => {
    return { factor: leg === 'way_out' ? ('external_communication' as const) : leg, ...by }
  })
  return { ...shown, session_risk: { level, riskFactors } }
}

interface FormerRisk {
  readonly legs?: readonly (Omit<RiskView['riskFactors'][number], 'factor'> & {
    readonly leg: Exclude<RiskFactor, 'external_communication'> | 'way_out'
  })[]
}

/** Of the arguments, and of the others, of what somebody has allowed already. */
const MOST_REMEMBERED = 1000

/** What is kept of it when the answer is: what it is bound to, and enough to know it again. */
export function shortenShown(text: string): string {
  const shown = readShown(text)
  const args = shorten(shown.arguments, MOST_REMEMBERED)
  const others = shown.others === undefined ? undefined : shorten(shown.others, MOST_REMEMBERED)
  const isCut = shown.isCut === true || args.isCut || others?.isCut === true
  const kept: ShownRequest = {
    ...shown,
    arguments: args.value,
    ...(others === undefined ? {} : { others: others.value }),
    ...(isCut ? { isCut } : {}),
  }
  return JSON.stringify(kept)
}

/**
 * When something ends, to the second, in a sentence for people and agents.
 *
 * showMoment(0) // => '1970-01-01T00:00:00Z'
 */
export function showMoment(at: number): string {
  return `${new Date(Math.ceil(at / 1000) * 1000).toISOString().slice(0, 19)}Z`
}
