/**
 * Minimum time between two requests for a list, in milliseconds. A server can announce changes as often as it likes.
 */
const PAUSE_MS = 500
/** The number of consecutive changes after which a server counts as noisy. */
const CALM_ROUNDS = 3
/** Maximum pause for a noisy server, whose pause doubles each time. */
const MAX_PAUSE_MS = 4000
/**
 * A noisy server's pause is at least this many times as long as judging its tools took, so that judging takes up at
 * most a twentieth of the time.
 */
const PAUSES_PER_COST = 20
const MAX_PAUSE_FOR_COST_MS = 20_000
/** Duration from which judging a server's tools counts as costly. Thousands of tools take that long. */
const MUCH_MS = 500
const PAUSES_FOR_MUCH = 5

/**
 * Decides how often servers are asked for their lists: immediately if they rarely change, and with growing pauses if
 * they change constantly.
 */
export class Pace {
  readonly #resting = new Set<string>()
  /** Servers that announced a change during a pause. */
  readonly #stale = new Set<string>()
  /** The number of consecutive pauses that ended with another change, by server. */
  readonly #rounds = new Map<string, number>()

  isResting(server: string): boolean {
    return this.#resting.has(server)
  }

  /** Notes that the server announced a change during its pause. */
  postpone(server: string): void {
    this.#stale.add(server)
  }

  /**
   * Starts a server's pause after its list was judged, which took `costMs`. If the server announces a change during the
   * pause, it is asked again afterwards.
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
  // A server with no more than a few changes in a row is asked again soon, however many tools it has.
  if (rounds < CALM_ROUNDS)
    return costMs < MUCH_MS ? PAUSE_MS : Math.min(PAUSES_FOR_MUCH * costMs, MAX_PAUSE_FOR_COST_MS)
  const pause = Math.min(PAUSE_MS * 2 ** (rounds - CALM_ROUNDS + 1), MAX_PAUSE_MS)
  return Math.max(pause, Math.min(PAUSES_PER_COST * costMs, MAX_PAUSE_FOR_COST_MS))
}
