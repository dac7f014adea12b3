/** The most that the budget can save up: a quiet time must not allow a burst of retries. */
const MAX = 10

/** A server with few calls still gets a retry now and then. */
const REFILL_MS = 10_000

/** Keeps retries a small share of all calls, so that they do not overload a server in trouble. */
export class RetryBudget {
  readonly #share: number
  readonly #now: () => number
  #saved = MAX
  #refilledAt: number
  #callsSeen = 0

  /** `share`: the share of repeatable calls; 0.2 is one in five. */
  constructor(share: number, now: () => number = () => performance.now()) {
    this.#share = share
    this.#now = now
    this.#refilledAt = now()
  }

  /** Takes one retry from the budget; false if there is none. `calls`: how many calls there were so far. */
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
