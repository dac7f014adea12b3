/**
 * The budget of one check, in units of at most about 100 ns. It is enough for 5,000 rows of ten fields, and stops a
 * check of hostile arguments after about 50 ms. An ordinary call takes a hundred units.
 */
export const BUDGET = 400_000

/** The measured costs of operations, in units. */
export const COST = {
  schema: 4,
  attempt: 4,
  finding: 15,
  field: 3,
  comparison: 3,
  /** For each character of a text that is read character by character. */
  character: 1 / 12,
} as const

/** Thrown to end a check when its budget is spent. */
export class BudgetExceeded extends Error {}

export class Budget {
  #left = BUDGET
  #fellShort = false

  /** Spends units; call this *before* the work. Throws if the budget is exceeded. */
  spend(units: number): void {
    this.#left -= units
    if (this.#left < 0) throw new BudgetExceeded()
  }

  /** True if there is budget for optional work. If there is not, the check counts as incomplete. */
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
