import type { CallVariant, HintName, Source } from '@hintgate/metadata'
import type { Facts, Reason } from '../facts/facts.ts'
import type { Condition } from './condition/compile-condition.ts'

export type Effect = 'allow' | 'confirm' | 'deny'

/** Who may say yes: anybody behind the caller's client too, or only a person who is not the caller. */
export type Channel = 'any' | 'person'

/** What a yes may be good for beyond the one call. */
export type Remember = 'session' | 'arguments'

/** What holds when no rule speaks. */
export type Fallback = 'allow' | 'deny'

export interface PolicyHit {
  readonly id: string
  readonly effect: Effect
  readonly reason: Reason
  /** Confirm rules only, and so is `remember`. */
  readonly channel?: Channel
  readonly remember?: readonly Remember[]
}

export interface PolicyResult {
  /**
   * Every rule that speaks about the call: denies first, then confirms, then allows, each in the order of the
   * files. A rule whose condition failed appears as a deny, whatever its effect.
   */
  readonly hits: readonly PolicyHit[]
}

export interface PolicySet {
  /** Digest of everything that can sway a verdict; moving a rule to another line does not change it. */
  readonly version: string
  readonly size: number
  readonly fallback: Fallback
  evaluate(facts: Facts): PolicyResult
}

interface PolicyVerdict {
  readonly verdict: Effect
  /** The rules that made it so; none where no rule speaks. */
  readonly by: readonly PolicyHit[]
}

/** Any deny wins, then any confirm; where no rule speaks, the default does. */
export function verdictOf({ hits }: PolicyResult, fallback: Fallback): PolicyVerdict {
  const of = (effect: Effect): readonly PolicyHit[] => hits.filter(hit => hit.effect === effect)
  const strictest = (['deny', 'confirm', 'allow'] as const).find(effect => of(effect).length > 0)
  if (strictest === undefined) return { verdict: fallback, by: [] }
  // Under `deny` a question needs an allow beside it, or the answer would open what nobody allowed.
  if (strictest === 'confirm' && fallback === 'deny' && of('allow').length === 0)
    return { verdict: 'deny', by: [] }
  return { verdict: strictest, by: of(strictest) }
}

/** A rule as it was written, checked. What is absent does not restrict it. */
export interface Rule {
  readonly id: string
  readonly effect: Effect
  readonly reason: string
  readonly agents?: readonly string[]
  readonly servers?: readonly string[]
  readonly tools?: readonly ToolPattern[]
  readonly variants?: readonly CallVariant[]
  readonly hints?: readonly HintDemand[]
  readonly when?: Condition
  readonly channel?: Channel
  readonly remember?: readonly Remember[]
  /** `file:line`. */
  readonly source: string
}

/** `server:tool`, taken apart so that no star reaches over the colon. */
export interface ToolPattern {
  readonly server: string
  readonly tool: string
}

/** What the effective hint must be, and on whose word. */
export interface HintDemand {
  readonly hint: HintName
  readonly value?: boolean
  readonly sources?: readonly Source[]
}
