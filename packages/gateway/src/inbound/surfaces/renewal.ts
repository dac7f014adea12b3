interface RenewalDeps {
  /** Renews the subscriptions, and returns how many characters were sent. */
  readonly renew: () => Promise<number>
  readonly pause: (ms: number) => Promise<unknown>
  readonly now: () => number
}

/**
 * Every renewal costs this much time, plus one millisecond per `LENGTH_PER_MS` characters. That limits the rate to
 * about a megabyte per second.
 */
const EACH_MS = 100
const LENGTH_PER_MS = 1024
/**
 * Renewals whose total cost is below this time run without a pause, so that an occasional new subscription takes effect
 * immediately.
 */
const AHEAD_MS = 3000

/**
 * Renews subscriptions on request. Only one renewal runs at a time, and one more serves all requests that arrive
 * meanwhile.
 */
export class Renewal {
  readonly #deps: RenewalDeps
  #isBusy = false
  #isDue = false
  #isClosed = false
  /** The time at which the total cost of all renewals so far will have elapsed. */
  #evenAt = 0

  constructor(renewing: RenewalDeps) {
    this.#deps = renewing
  }

  ask(): void {
    this.#isDue = true
    if (!this.#isBusy) void this.#renewAll()
  }

  close(): void {
    this.#isClosed = true
  }

  async #renewAll(): Promise<void> {
    this.#isBusy = true
    while (this.#isDue && !this.#isClosed) {
      this.#isDue = false
      const length = await this.#deps.renew()
      const now = this.#deps.now()
      this.#evenAt = Math.max(now, this.#evenAt) + EACH_MS + length / LENGTH_PER_MS
      const ahead = this.#evenAt - now - AHEAD_MS
      if (ahead > 0) await this.#deps.pause(ahead)
    }
    this.#isBusy = false
  }
}
