import type { Played } from './play-case.ts'
import type { HijackScore } from './score.ts'

/** One cell of the tables. */
export interface Cell {
  readonly suite: string
  /** `recorded` and `contract` are whole runs; the others are hijacked runs in another form, or of another attacker. */
  readonly table: 'recorded' | 'form' | 'adaptive' | 'contract' | 'control'
  /** The form, the attacker or the control. */
  readonly name: string
  readonly runs: readonly Played[]
  readonly score: HijackScore
}
