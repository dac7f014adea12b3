import type { CallVariant, HintName, Source } from '@hintgate/metadata'
import type { Facts, Reason } from '../facts/facts.ts'
import type { Condition } from './condition/compile-condition.ts'
import type { Waiver } from './waiver.ts'

export type Effect = 'allow' | 'confirm' | 'deny'

/** What a rule in a file does: it has an effect on the verdict, or it waives the questions of other rules. */
type RuleEffect = Effect | 'waive'

/**
 * Who can approve a call. `any` includes the user of the client that makes the call; `person` requires someone else.
 */
export type Channel = 'any' | 'person'

/**
 * The further calls that an approval can cover. `target` means calls to the same tool in the same session that have the
 * same targets. `rule` means every call of this caller to the same tool that the same rules ask about.
 */
export const REMEMBER = ['session', 'arguments', 'target', 'rule'] as const

export type Remember = (typeof REMEMBER)[number]

/** The verdict if no rule matches. */
export type Fallback = 'allow' | 'deny'

export interface PolicyHit {
  readonly id: string
  readonly effect: Effect
  readonly reason: Reason
  /** `channel` and `remember` are set only for confirm rules. */
  readonly channel?: Channel
  readonly remember?: readonly Remember[]
}

export interface PolicyResult {
  /**
   * All rules that match the call: deny rules first, then confirm rules, then allow rules, each group in the order of
   * the files. A rule whose condition could not be evaluated appears as a deny, whatever its effect.
   */
  readonly hits: readonly PolicyHit[]
}

export interface PolicySet {
  /** A digest of everything that can change a verdict. Moving a rule to another line does not change the digest. */
  readonly version: string
  readonly size: number
  readonly fallback: Fallback
  evaluate(facts: Facts): PolicyResult
  /**
   * Returns the waivers that apply to the call. One that has expired, or whose condition cannot be evaluated, does not
   * apply, so that the call asks.
   */
  waiversOf(facts: Facts): readonly Waiver[]
}

export interface PolicyVerdict {
  readonly verdict: Effect
  /** The rules that determined the verdict. Empty if no rule matched. */
  readonly by: readonly PolicyHit[]
}

/** Returns the verdict of a policy. Any deny wins, then any confirm. If no rule matches, `fallback` applies. */
export function verdictOf({ hits }: PolicyResult, fallback: Fallback): PolicyVerdict {
  const of = (effect: Effect): readonly PolicyHit[] => hits.filter(hit => hit.effect === effect)
  const strictest = (['deny', 'confirm', 'allow'] as const).find(effect => of(effect).length > 0)
  if (strictest === undefined) return { verdict: fallback, by: [] }
  // If `policyDefault` is `deny`, a confirm needs a matching allow rule as well. Otherwise an approval would permit a
  // call that no rule allows.
  if (strictest === 'confirm' && fallback === 'deny' && of('allow').length === 0)
    return { verdict: 'deny', by: [] }
  return { verdict: strictest, by: of(strictest) }
}

/** A rule that was checked. A selector that is absent matches everything. */
export interface Rule {
  readonly id: string
  readonly effect: RuleEffect
  readonly reason: string
  readonly agents?: readonly string[]
  readonly servers?: readonly string[]
  /** A rule that names tools, resources or prompts applies only to these; a rule that names none applies to all. */
  readonly tools?: readonly ToolPattern[]
  /** The toolsets that the rule applies to. A rule with this selector matches no call at another endpoint. */
  readonly sets?: readonly string[]
  /** Patterns of the URIs that the servers themselves use. */
  readonly resources?: readonly string[]
  readonly prompts?: readonly ToolPattern[]
  readonly variants?: readonly CallVariant[]
  readonly hints?: readonly HintDemand[]
  readonly when?: Condition
  readonly channel?: Channel
  readonly remember?: readonly Remember[]
  /** The next four are set for waivers, and only for them. */
  readonly waives?: readonly string[]
  readonly author?: string
  /** The time at which the waiver expires, in milliseconds since the epoch. */
  readonly expires?: number
  /** The only definitions of tools to which the waiver applies. */
  readonly fingerprints?: readonly string[]
  /** `file:line`. */
  readonly source: string
}

/** A pattern such as `server:tool`, split so that a `*` cannot match across the colon. */
export interface ToolPattern {
  readonly server: string
  readonly tool: string
}

/** A condition on an effective hint: its required value and the accepted sources. */
export interface HintDemand {
  readonly hint: HintName
  readonly value?: boolean
  readonly sources?: readonly Source[]
}
