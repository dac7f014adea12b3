/** What can be saved up: a quiet time must not pay for a storm. */
const MAX = 10

/** A server that is hardly ever called may still be asked again now and then. */
const REFILL_MS = 10_000

/** Keeps repeated calls a small share of all calls, so that a server in trouble is not hammered by us. */
export class RetryBudget {
  readonly #share: number
  readonly #now: () => number
  #saved = MAX
  #refilledAt: number
  #callsSeen = 0

  /** `share`: of calls that may be repeated, 0.2 is one in five. */
  constructor(share: number, now: () => number = () => performance.now()) {
    this.#share = share
    this.#now = now
    this.#refilledAt = now()
  }

  /** Whether one more repetition is within the budget; it is taken from it. `calls`: how many were made so far. */
  withdraw(calls: number): boolean {
    const now = this.#now()
    const more = (calls - this.#callsSeen) * this.#share + (now - this.#refilledAt) / REFILL_MS
    this.#saved = Math.min(MAX, this.#saved + more)
    this.#callsSeen = calls
    this.#refilledAt = now
    if (this.#saved < 1) return false
    this.#saved -= 1
    return true
  }
}
