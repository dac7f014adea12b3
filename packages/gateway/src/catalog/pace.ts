/** The least time between two lists; a server may announce changes as often as it likes. */
const PAUSE_MS = 500
/** This many consecutive changes are normal before a server counts as noisy. */
const CALM_ROUNDS = 3
/** For a noisy server the pause doubles each time, up to this. */
const MAX_PAUSE_MS = 4000
/** Judging its tools must also take at most a twentieth of the time. */
const PAUSES_PER_COST = 20
const MAX_PAUSE_FOR_COST_MS = 20_000
/** Thousands of tools. */
const MUCH_MS = 500
const PAUSES_FOR_MUCH = 5

/**
 * How often servers are asked for their lists: at once if they rarely change, with growing pauses if they change
 * constantly.
 */
export class Pace {
  readonly #resting = new Set<string>()
  /** Servers that announced a change during a pause. */
  readonly #stale = new Set<string>()
  /** How many consecutive pauses ended with another change. */
  readonly #rounds = new Map<string, number>()

  isResting(server: string): boolean {
    return this.#resting.has(server)
  }

  /** The server announced a change that cannot be handled now. */
  postpone(server: string): void {
    this.#stale.add(server)
  }

  /**
   * Call this after a list was judged, with the time that it took; asks again after the pause if the server announced
   * a change by then.
   */
  rest(server: string, costMs: number, askAgain: () => void): void {
    this.#resting.add(server)
    const rounds = this.#rounds.get(server) ?? 0
    const timer = setTimeout(
      () => {
        this.#resting.delete(server)
        const hasNews = this.#stale.delete(server)
        if (hasNews) this.#rounds.set(server, rounds + 1)
        else this.#rounds.delete(server)
        if (hasNews) askAgain()
      },
      pauseFor(rounds, costMs),
    )
    timer.unref()
  }
}

function pauseFor(rounds: number, costMs: number): number {
  // A calm server, or one with a few single changes, is asked soon, however many tools it has.
  if (rounds < CALM_ROUNDS)
    return costMs < MUCH_MS ? PAUSE_MS : Math.min(PAUSES_FOR_MUCH * costMs, MAX_PAUSE_FOR_COST_MS)
  const pause = Math.min(PAUSE_MS * 2 ** (rounds - CALM_ROUNDS + 1), MAX_PAUSE_MS)
  return Math.max(pause, Math.min(PAUSES_PER_COST * costMs, MAX_PAUSE_FOR_COST_MS))
}
