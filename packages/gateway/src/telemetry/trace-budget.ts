/** As many calls as somebody makes who tries something out. */
const SMALL_BURST = 10

/**
 * How many calls a second are traced. Under load a trace of every call would cost more than it tells; with little to do,
 * every call has one.
 */
export class TraceBudget {
  readonly #perSecond: number
  /** What can be spent at once: a burst of calls is load, too. */
  readonly #most: number
  #left: number
  #filledAt = 0

  constructor(perSecond: number) {
    this.#perSecond = perSecond
    this.#most = Math.max(Math.min(perSecond, SMALL_BURST), perSecond / 4)
    this.#left = this.#most
  }

  /** Whether one more may be traced; `now` in milliseconds, of any clock. */
  take(now: number): boolean {
    const gained = ((now - this.#filledAt) / 1000) * this.#perSecond
    this.#filledAt = now
    this.#left = Math.min(this.#most, this.#left + Math.max(0, gained))
    if (this.#left < 1) return false
    this.#left -= 1
    return true
  }
}
