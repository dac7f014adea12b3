/** Thrown when a condition cannot be evaluated. The message never quotes the call's data. */
export class ConditionFault extends Error {}

/**
 * The budget for all conditions on one call. A unit is about one character examined, and the whole budget lasts a fifth
 * of a second at most.
 */
const ALLOWANCE = 500_000_000
const STEP = 300

const EXHAUSTED = new ConditionFault(
  'the evaluation would take too long: the arguments are too large for the loops and patterns in the rules',
)

/**
 * Limits the work of conditions. CEL always terminates, but nested loops over a long list from an agent would
 * practically never end.
 */
export class Meter {
  /** The cost of reading everything that the agent sent, once. */
  weight = 0
  #left = ALLOWANCE

  get isExhausted(): boolean {
    return this.#left < 0
  }

  spend(units: number): void {
    this.#left -= units
    // The error object is shared, because thousands of steps can throw it before a loop ends.
    if (this.#left < 0) throw EXHAUSTED
  }

  /**
   * Spends the cost of one loop step. If a step reads more than its own element, it is charged for reading everything.
   */
  step(readsOthers: boolean): void {
    this.spend(readsOthers ? STEP + this.weight : STEP)
  }
}
