interface Rate {
  readonly perSecond: number
  readonly atOnce: number
  /** Maximum pause in seconds, however much was spent. */
  readonly longestS: number
}

/**
 * A budget per second that allows bursts. Spending more than the budget causes a pause in proportion.
 *
 * @example
 * const pauseMs = new Meter({ perSecond: 10, atOnce: 50, longestS: 10 }).charge(1, performance.now())
 */
export class Meter {
  readonly #rate: Rate
  #left: number
  #since = 0

  constructor(rate: Rate) {
    this.#rate = rate
    this.#left = rate.atOnce
  }

  /** Spends `cost` and returns the pause in milliseconds, usually 0. */
  charge(cost: number, now: number): number {
    const { perSecond, atOnce, longestS } = this.#rate
    this.#left = Math.min(atOnce, this.#left + ((now - this.#since) * perSecond) / 1000)
    this.#since = now
    this.#left = Math.max(-longestS * perSecond, this.#left - cost)
    return this.#left >= 0 ? 0 : Math.ceil((-this.#left * 1000) / perSecond)
  }
}
