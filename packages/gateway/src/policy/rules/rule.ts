import type { CallVariant, HintName, Source } from '@hintgate/metadata'
import type { Condition } from './condition/compile-condition.ts'
import type { Channel, Effect, Remembered } from './policy-set.ts'

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
  readonly remember?: readonly Remembered[]
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
