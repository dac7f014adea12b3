/** The shortest time between two lists, because a server may announce changes as often as it likes. */
const PAUSE_MS = 500
/** The number of consecutive changes after which a server counts as noisy. */
const CALM_ROUNDS = 3
/** The longest pause for a noisy server; its pause doubles each time. */
const MAX_PAUSE_MS = 4000
/** The factor that limits the judging of a noisy server's tools to a twentieth of the time. */
const PAUSES_PER_COST = 20
const MAX_PAUSE_FOR_COST_MS = 20_000
/** The time that the judging of thousands of tools takes. */
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
   * Starts a server's pause after its list was judged, which took `costMs`. Asks again after the pause if the server
   * announced a change by then.
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
