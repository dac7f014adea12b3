interface Renewing {
  /** Says how much it took, in characters. */
  readonly renew: () => Promise<number>
  readonly pause: (ms: number) => Promise<unknown>
}

/** Between two, and as much more as it takes to keep to a megabyte or so in a second. */
const PAUSE_MS = 100
const LENGTH_PER_MS = 1024

/** Does something anew when it is asked to, one at a time; all who ask meanwhile are served by one more time. */
export class Renewal {
  readonly #renewing: Renewing
  #isBusy = false
  #isDue = false
  #isClosed = false

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
      await this.#renewing.pause(PAUSE_MS + length / LENGTH_PER_MS)
    }
    this.#isBusy = false
  }
}
