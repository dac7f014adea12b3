/** Something a condition could not do, said without quoting what it was given. */
export class ConditionFault extends Error {}

/** About one for every character looked at, so a fifth of a second, or less. */
const ALLOWANCE = 500_000_000
const STEP = 300

const EXHAUSTED = new ConditionFault(
  'it would take too long: the arguments are too large for the loops and patterns of the rules',
)

/** CEL always ends, but a loop over a loop over a long list from outside is as good as endless. */
export class Meter {
  /** How long it takes to look once at all that the agent says. */
  weight = 0
  #left = ALLOWANCE

  get isExhausted(): boolean {
    return this.#left < 0
  }

  spend(units: number): void {
    this.#left -= units
    // One error for all: thousands of steps of a loop may throw it before the loop is over.
    if (this.#left < 0) throw EXHAUSTED
  }

  /** One step of a loop. One that looks beyond its own element may look at everything. */
  step(looksBeyond: boolean): void {
    this.spend(looksBeyond ? STEP + this.weight : STEP)
  }
}
