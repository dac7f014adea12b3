interface Renewing {
  /** Says how much it took, in characters. */
  readonly renew: () => Promise<number>
  readonly pause: (ms: number) => Promise<unknown>
  readonly now: () => number
}

/** What one takes, and as much more as it takes to keep to a megabyte or so in a second. */
const EACH_MS = 100
const LENGTH_PER_MS = 1024
/** So much may be taken in advance: what somebody follows now and then is followed at once, before anything can happen to it. */
const AHEAD_MS = 3000

/** Does something anew when it is asked to, one at a time; all who ask meanwhile are served by one more time. */
export class Renewal {
  readonly #renewing: Renewing
  #isBusy = false
  #isDue = false
  #isClosed = false
  /** When all that was taken will have been worked off. */
  #evenAt = 0

  constructor(renewing: Renewing) {
    this.#renewing = renewing
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
      const length = await this.#renewing.renew()
      const now = this.#renewing.now()
      this.#evenAt = Math.max(now, this.#evenAt) + EACH_MS + length / LENGTH_PER_MS
      const ahead = this.#evenAt - now - AHEAD_MS
      if (ahead > 0) await this.#renewing.pause(ahead)
    }
    this.#isBusy = false
  }
}
