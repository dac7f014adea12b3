import { createHash } from 'node:crypto'
import {
  type Consequence,
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
import type { StoredApproval } from '../store/approval-store.ts'
import { shorten } from './shorten.ts'

interface Bound {
  readonly principal: string
  readonly session: string
  /** The tool's id, `server:tool`. */
  readonly tool: string
  readonly fingerprint: string
  readonly args: unknown
  /** The toolset in which the call is made, and its override of the tool. Absent at other endpoints. */
  readonly view?: { readonly set: string; readonly override: string } | undefined
  /** A digest of all rules in force, so that an approval ends when they change. */
  readonly rules: string
  /**
   * The channel in which people can answer. Together with the rules that ask, it keeps an approval from covering
   * stricter rules.
   */
  readonly channel: Channel
  readonly asking: readonly string[]
  /** The values that text in earlier results asks for, if the call needs approval because of them. */
  readonly targets: readonly string[]
}

/**
 * The digests that an approval can be bound to: one call, the same arguments, a session or a target. Digests of
 * different kinds are never equal.
 */
export interface Bindings {
  readonly once: string
  readonly arguments: string
  readonly session: string
  readonly target: string
  readonly rule: string
}

export function bindingsOf(bound: Bound): Bindings {
  const { principal, session, tool, fingerprint, args, view, rules, channel, asking, targets } = bound
  const asked = [...new Set(asking)].toSorted()
  // What a person approved in a toolset says nothing about calls without the arguments that the set fixes.
  const place = view === undefined ? [] : [view]
  const common = [principal, tool, fingerprint, rules, channel, asked, ...place]
  const digest = digestOf(writeSorted(args))
  return {
    once: digestOf(JSON.stringify(['once', ...common, digest])),
    arguments: digestOf(JSON.stringify(['arguments', ...common, digest])),
    session: digestOf(JSON.stringify(['session', ...common, session])),
    rule: digestOf(JSON.stringify(['rule', ...common])),
    target: digestOf(JSON.stringify(['target', ...common, session, [...new Set(targets)].toSorted()])),
  }
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}

/**
 * Returns the binding of an approval after the server asked a question. Only the holder of the sealed state can
 * continue.
 */
export function continued(once: string): string {
  return `${CONTINUED}${once}`
}

const CONTINUED = 'continued '

export interface ShownRequest {
  readonly agent: string
  readonly server: string
  readonly tool: string
  /** The toolset whose endpoint received the call. */
  readonly set?: string
  readonly title: string
  readonly action: string
  readonly variant: string
  /** The call's possible consequences. Absent in approvals that older versions stored. */
  readonly consequences?: readonly Consequence[]
  /** The number of different people who must approve, if more than one. */
  readonly approvers?: number
  /** The arguments, with secrets masked. */
  readonly arguments: unknown
  /** The parameters other than the arguments. */
  readonly others?: unknown
  readonly hints: Readonly<Record<HintName, { readonly value: boolean; readonly source: Source }>>
  readonly reasons: readonly Reason[]
  readonly session_risk: RiskView
  /** The text, in an earlier call's result, that asks for this call. */
  readonly origin?: ShownOrigin
  /** The tool's own preview of what would change. */
  readonly preview?: string
  /** Set if the arguments or other parameters were cut. */
  readonly isCut?: true
  readonly remember: readonly Remember[]
  /** The digests to which a lasting approval is bound. */
  readonly standing: Omit<Bindings, 'once'>
  /** The id of the lasting approval that this one continues, and with which it ends. */
  readonly grant?: string
}

export interface ShownOrigin {
  /** The path of the argument that contains the value from the text; empty if the text asks for the whole call. */
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

/** Reads a request that a gateway stored. Older versions called the risk factors `legs`. */
export function readShown(text: string): ShownRequest {
  const shown = JSON.parse(text) as ShownRequest & { readonly session_risk?: RiskView & FormerRisk }
  // A lasting approval keeps only a part of its request, without the session risk.
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

/** Maximum number of characters of the arguments, and of the other parameters, that are kept after a decision. */
const MOST_REMEMBERED = 1000

/** Shortens a request after the decision. Keeps its bindings and enough text to recognise the call. */
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

/** Returns what is kept of a request whose call continues, with the lasting approval that covered it. */
export function shownOfExtended({ id, state, shown }: StoredApproval): string {
  const short = shortenShown(shown)
  return state === 'standing' ? JSON.stringify({ ...JSON.parse(short), grant: id }) : short
}

/**
 * Writes an expiry time to the second, for texts that people and agents read.
 *
 * @example
 * showMoment(0) // => '1970-01-01T00:00:00Z'
 */
export function showMoment(at: number): string {
  return `${new Date(Math.ceil(at / 1000) * 1000).toISOString().slice(0, 19)}Z`
}
