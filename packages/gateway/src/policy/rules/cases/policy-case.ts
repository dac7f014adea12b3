import type { Facts } from '../../facts/facts.ts'
import type { Effect } from '../policy-set.ts'

/** What somebody expects of the rules. */
export interface PolicyCase {
  readonly name: string
  /** `file:line`. */
  readonly source: string
  readonly facts: Facts
  readonly expect: Effect
  /** Rules that must be among those that make the verdict. */
  readonly rules: readonly string[]
}
