/**
 * Maximum number of retries that can be saved up. It is small, so a quiet period does not allow a burst of retries
 * later.
 */
const MAX = 10

/** One retry is added each time this interval passes, so even a server with few calls gets one now and then. */
const REFILL_MS = 10_000

/** Limits retries to a small share of all calls, because retries can overload a server in trouble. */
export class RetryBudget {
  readonly #share: number
  readonly #now: () => number
  #saved = MAX
  #refilledAt: number
  #callsSeen = 0

  /** `share` is the share of calls that can be retried: 0.2 means one in five. */
  constructor(share: number, now: () => number = () => performance.now()) {
    this.#share = share
    this.#now = now
    this.#refilledAt = now()
  }

  /** Takes one retry from the budget. Returns false if none is left. `calls` is the number of calls so far. */
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
