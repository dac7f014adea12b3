/** Maximum number of retries that the budget can save up, so that a quiet time does not allow a burst later. */
const MAX = 10

/** The budget gains one retry in this time, so that a server with few calls still gets one now and then. */
const REFILL_MS = 10_000

/** Limits retries to a small share of all calls, so that they do not overload a server in trouble. */
export class RetryBudget {
  readonly #share: number
  readonly #now: () => number
  #saved = MAX
  #refilledAt: number
  #callsSeen = 0

  /** `share` is the share of calls that may be retried; 0.2 is one in five. */
  constructor(share: number, now: () => number = () => performance.now()) {
    this.#share = share
    this.#now = now
    this.#refilledAt = now()
  }

  /** Takes one retry from the budget. Returns false if there is none. `calls` is the number of calls so far. */
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
