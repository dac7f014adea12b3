/** A failure of a condition. The message never quotes the input. */
export class ConditionFault extends Error {}

/** The budget of one call, at about one unit per character examined. It takes at most a fifth of a second. */
const ALLOWANCE = 500_000_000
const STEP = 300

const EXHAUSTED = new ConditionFault(
  'the evaluation would take too long: the arguments are too large for the loops and patterns in the rules',
)

/**
 * Limits the work of conditions. CEL always terminates, but nested loops over a long list from an agent would take
 * practically forever.
 */
export class Meter {
  /** The cost of reading everything that the agent sent once. */
  weight = 0
  #left = ALLOWANCE

  get isExhausted(): boolean {
    return this.#left < 0
  }

  spend(units: number): void {
    this.#left -= units
    // The error object is shared, because thousands of loop steps may throw it before the loop ends.
    if (this.#left < 0) throw EXHAUSTED
  }

  /** Spends for one step of a loop. A step that reads more than its own element may read everything. */
  step(readsOthers: boolean): void {
    this.spend(readsOthers ? STEP + this.weight : STEP)
  }
}
