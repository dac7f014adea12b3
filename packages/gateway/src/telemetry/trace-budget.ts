/**
 * How many calls a second are traced. Under load a trace of every call would cost more than it tells; with little to do,
 * every call has one.
 */
export class TraceBudget {
  readonly #perSecond: number
  #left: number
  #filledAt = 0

  constructor(perSecond: number) {
    this.#perSecond = perSecond
    this.#left = perSecond
  }

  /** Whether one more may be traced; `now` in milliseconds, of any clock. */
  take(now: number): boolean {
    const gained = ((now - this.#filledAt) / 1000) * this.#perSecond
    this.#filledAt = now
    this.#left = Math.min(this.#perSecond, this.#left + Math.max(0, gained))
    if (this.#left < 1) return false
    this.#left -= 1
    return true
  }
}
