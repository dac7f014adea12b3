/**
 * What one check may cost, in units of some 100 ns at worst: enough for 5,000 rows of ten fields, and the end, after some
 * 50 ms, of what was made to take for ever. An ordinary call takes a hundred.
 */
export const BUDGET = 400_000

/** What things cost, by measuring them. */
export const COST = {
  schema: 4,
  attempt: 4,
  finding: 15,
  field: 3,
  comparison: 3,
  /** Per character, where a text is looked at one by one. */
  character: 1 / 12,
} as const

/** The one signal that ends a check early. */
export class Spent extends Error {}

export class Budget {
  #left = BUDGET
  #fellShort = false

  /** Call it *before* the work that it pays for. */
  spend(units: number): void {
    this.#left -= units
    if (this.#left < 0) throw new Spent()
  }

  /** Whoever cannot afford something may leave it out; the check as a whole is then one that left something out. */
  canAfford(units: number): boolean {
    if (units <= this.#left) return true
    this.fallShort()
    return false
  }

  fallShort(): void {
    this.#fellShort = true
  }

  get fellShort(): boolean {
    return this.#fellShort
  }

  get spent(): number {
    return BUDGET - this.#left
  }
}
