interface RenewalDeps {
  /** Returns how much was sent, in characters. */
  readonly renew: () => Promise<number>
  readonly pause: (ms: number) => Promise<unknown>
  readonly now: () => number
}

/** The time that each renewal costs, plus a time for its length that keeps the rate near a megabyte per second. */
const EACH_MS = 100
const LENGTH_PER_MS = 1024
/** The cost that may be run up before a pause, so that an occasional new subscription takes effect immediately. */
const AHEAD_MS = 3000

/** Runs a task on request, one run at a time; a single further run serves all requests that arrive during a run. */
export class Renewal {
  readonly #deps: RenewalDeps
  #isBusy = false
  #isDue = false
  #isClosed = false
  /** The time at which the cost so far will have been worked off. */
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
