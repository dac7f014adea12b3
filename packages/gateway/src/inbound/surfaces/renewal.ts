interface RenewalDeps {
  /** Returns how much was sent, in characters. */
  readonly renew: () => Promise<number>
  readonly pause: (ms: number) => Promise<unknown>
  readonly now: () => number
}

/** What one renewal costs, plus enough time to stay near a megabyte per second. */
const EACH_MS = 100
const LENGTH_PER_MS = 1024
/** This much may be spent in advance, so that a rare new subscription takes effect at once. */
const AHEAD_MS = 3000

/** Repeats a task on request, one at a time; one more run serves all requests that come during a run. */
export class Renewal {
  readonly #deps: RenewalDeps
  #isBusy = false
  #isDue = false
  #isClosed = false
  /** When the cost so far will be paid off. */
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
