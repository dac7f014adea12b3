/** A failure of a condition. The message never quotes the input. */
export class ConditionFault extends Error {}

/** About one unit per character examined; in total at most a fifth of a second. */
const ALLOWANCE = 500_000_000
const STEP = 300

const EXHAUSTED = new ConditionFault(
  'it would take too long: the arguments are too large for the loops and patterns of the rules',
)

/** CEL always terminates, but nested loops over a long list from an agent would take practically forever. */
export class Meter {
  /** The cost of reading everything that the agent sent once. */
  weight = 0
  #left = ALLOWANCE

  get isExhausted(): boolean {
    return this.#left < 0
  }

  spend(units: number): void {
    this.#left -= units
    // A shared error object: thousands of loop steps may throw it before the loop ends.
    if (this.#left < 0) throw EXHAUSTED
  }

  /** One step of a loop. A step that reads more than its own element may read everything. */
  step(readsOthers: boolean): void {
    this.spend(readsOthers ? STEP + this.weight : STEP)
  }
}
