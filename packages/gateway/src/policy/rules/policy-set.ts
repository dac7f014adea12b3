import type { Facts, Reason } from '../facts/facts.ts'

export type Effect = 'allow' | 'confirm' | 'deny'

/** Who may answer a question: `person` is somebody other than the caller. */
export type Channel = 'person' | 'any'

/** What a person may choose to have remembered when saying yes. */
export type Remembered = 'session' | 'arguments'

/** What holds when no rule speaks. */
export type Fallback = 'allow' | 'deny'

/** One rule that speaks about a call. */
export interface PolicyHit {
  readonly id: string
  readonly effect: Effect
  readonly reason: Reason
  /** Confirm rules only, and so is `remember`. */
  readonly channel?: Channel
  readonly remember?: readonly Remembered[]
}

export interface PolicyResult {
  /**
   * Every rule that speaks about the call: denies first, then confirms, then allows, each in the order of the
   * files. A rule whose condition failed appears as a deny, whatever its effect.
   */
  readonly hits: readonly PolicyHit[]
}

/** All rules, parsed, type-checked and indexed. */
export interface PolicySet {
  /** Digest of everything that can sway a verdict; moving a rule to another line does not change it. */
  readonly version: string
  readonly size: number
  readonly fallback: Fallback
  evaluate(facts: Facts): PolicyResult
}
