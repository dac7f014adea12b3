import type { CallVariant, HintName, Source } from '@hintgate/metadata'
import type { Facts, Reason } from '../facts/facts.ts'
import type { Condition } from './condition/compile-condition.ts'

export type Effect = 'allow' | 'confirm' | 'deny'

/**
 * The people who may approve: `any` includes the user of the calling client, `person` requires someone other than the
 * caller.
 */
export type Channel = 'any' | 'person'

/**
 * The further calls that an approval may cover. `target` means calls to the tool in the session that reach the same
 * targets.
 */
export const REMEMBER = ['session', 'arguments', 'target'] as const

export type Remember = (typeof REMEMBER)[number]

/** The verdict when no rule matches. */
export type Fallback = 'allow' | 'deny'

export interface PolicyHit {
  readonly id: string
  readonly effect: Effect
  readonly reason: Reason
  /** Set only for confirm rules, like `remember`. */
  readonly channel?: Channel
  readonly remember?: readonly Remember[]
}

export interface PolicyResult {
  /**
   * Every rule that matches the call: denies first, then confirms, then allows, each in the order of the
   * files. A rule whose condition failed appears as a deny, whatever its effect.
   */
  readonly hits: readonly PolicyHit[]
}

export interface PolicySet {
  /** A digest of everything that can change a verdict. Moving a rule to another line does not change the digest. */
  readonly version: string
  readonly size: number
  readonly fallback: Fallback
  evaluate(facts: Facts): PolicyResult
}

interface PolicyVerdict {
  readonly verdict: Effect
  /** The rules that determined the verdict. Empty if no rule matched. */
  readonly by: readonly PolicyHit[]
}

/** Any deny wins, then any confirm. If no rule matches, the default applies. */
export function verdictOf({ hits }: PolicyResult, fallback: Fallback): PolicyVerdict {
  const of = (effect: Effect): readonly PolicyHit[] => hits.filter(hit => hit.effect === effect)
  const strictest = (['deny', 'confirm', 'allow'] as const).find(effect => of(effect).length > 0)
  if (strictest === undefined) return { verdict: fallback, by: [] }
  // With `policyDefault: "deny"`, a confirm needs an allow as well. Otherwise an approval would permit a call that no
  // rule allows.
  if (strictest === 'confirm' && fallback === 'deny' && of('allow').length === 0)
    return { verdict: 'deny', by: [] }
  return { verdict: strictest, by: of(strictest) }
}

/** A checked rule. A selector that is absent matches everything. */
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

/** `server:tool`, split so that a star does not match across the colon. */
export interface ToolPattern {
  readonly server: string
  readonly tool: string
}

/** The required value of an effective hint and its accepted sources. */
export interface HintDemand {
  readonly hint: HintName
  readonly value?: boolean
  readonly sources?: readonly Source[]
}
