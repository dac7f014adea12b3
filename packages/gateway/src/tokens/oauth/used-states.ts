const MOST = 10_000

/**
 * States that somebody came back with. One is good once, although the browser keeps it: whoever has begun could otherwise
 * make us ask the issuer, with our secret, as often as they like. Remembered in this process, for as long as they are good.
 */
export class UsedStates {
  readonly #now: () => number
  /** Until when each would be good; the oldest first. */
  readonly #used = new Map<string, number>()

  constructor(now: () => number) {
    this.#now = now
  }

  /** False if it was used before. */
  use(state: string, until: number): boolean {
    if (this.#used.has(state)) return false
    this.#forget()
    this.#used.set(state, until)
    return true
  }

  #forget(): void {
    const now = this.#now()
    for (const [state, until] of this.#used) {
      if (until > now && this.#used.size < MOST) return
      this.#used.delete(state)
    }
  }
}
