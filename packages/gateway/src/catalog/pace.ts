/** Between two lists that a server is asked for; it may announce changes as often as it likes. */
const PAUSE_MS = 500
/** So often in a row there may be news before it looks like it will never stop. */
const CALM_ROUNDS = 3
/** Whoever never stops announcing is asked half as often every time, down to this. */
const MAX_PAUSE_MS = 4000
/** Judging its tools must not take more than a twentieth of everybody's time either. */
const PAUSES_PER_COST = 20
const MAX_PAUSE_FOR_COST_MS = 20_000
/** Thousands of tools. */
const MUCH_MS = 500
const PAUSES_FOR_MUCH = 5

/** How often servers are asked for their lists: at once when they rarely change, and in peace when they never stop. */
export class Pace {
  readonly #resting = new Set<string>()
  /** Who spoke up while nobody asked. */
  readonly #stale = new Set<string>()
  /** How many times in a row there was news after a rest. */
  readonly #rounds = new Map<string, number>()

  isResting(server: string): boolean {
    return this.#resting.has(server)
  }

  /** The server announced a change that nobody can look at now. */
  postpone(server: string): void {
    this.#stale.add(server)
  }

  /** The server was asked, and judging what it said took a while; asks again after a rest if there is news by then. */
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
  // Who was calm until now, or changes a few things one by one, is asked soon, however many tools it has.
  if (rounds < CALM_ROUNDS)
    return costMs < MUCH_MS ? PAUSE_MS : Math.min(PAUSES_FOR_MUCH * costMs, MAX_PAUSE_FOR_COST_MS)
  const pause = Math.min(PAUSE_MS * 2 ** (rounds - CALM_ROUNDS + 1), MAX_PAUSE_MS)
  return Math.max(pause, Math.min(PAUSES_PER_COST * costMs, MAX_PAUSE_FOR_COST_MS))
}
