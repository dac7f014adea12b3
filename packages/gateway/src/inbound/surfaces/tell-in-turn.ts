/** What came of telling a server something: `later` when it is busy or away, `unanswered` when it said nothing to it. */
export type Told = 'heard' | 'changed' | 'later' | 'unanswered'

export interface Telling {
  readonly tell: (uri: string) => Promise<Told>
  readonly pause: (ms: number) => Promise<unknown>
}

/** Callers for whom a server is told something at the same time. */
const MOST_AT_ONCE = 4
/** What a server did not answer so often, it is not asked again until somebody wants it anew. */
const MOST_UNANSWERED = 3
/** A server that is busy, or away, is told later. */
const PAUSE_MS = 1000
const LONGEST_PAUSE_MS = 30_000

/** Of each address, how often the server did not answer. */
type Line = Map<string, number>

/**
 * Tells a server of addresses, one at a time for each caller and several callers at once: whoever asks for addresses that
 * the server does not answer waits for them alone.
 */
export class TellInTurn {
  readonly #telling: Telling
  readonly #lines = new Map<string, Line>()
  /** Callers that wait for a place, the first one first. */
  readonly #waiting: (() => void)[] = []
  #free = MOST_AT_ONCE
  #isClosed = false

  constructor(telling: Telling) {
    this.#telling = telling
  }

  add(caller: string, uris: readonly string[]): void {
    const known = this.#lines.get(caller)
    const line: Line = known ?? new Map()
    for (const uri of uris) line.set(uri, 0)
    if (known !== undefined) return
    this.#lines.set(caller, line)
    void this.#tellAll(caller, line)
  }

  close(): void {
    this.#isClosed = true
  }

  /** Until the server has heard everything, or nobody wants it any more. */
  async #tellAll(caller: string, line: Line): Promise<void> {
    let pause = PAUSE_MS
    // What is added meanwhile, also because it did not succeed, comes up in the same loop.
    for (const [uri, unanswered] of line) {
      if (this.#isClosed) return
      line.delete(uri)
      const told = await this.#inPlace(() => this.#telling.tell(uri))
      if (told === 'heard' || told === 'changed') {
        pause = PAUSE_MS
        if (told === 'changed') line.set(uri, 0)
        continue
      }
      const failed = told === 'unanswered' ? unanswered + 1 : unanswered
      if (failed < MOST_UNANSWERED && !line.has(uri)) line.set(uri, failed)
      await this.#telling.pause(pause)
      pause = Math.min(2 * pause, LONGEST_PAUSE_MS)
    }
    this.#lines.delete(caller)
  }

  async #inPlace<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free === 0) await new Promise<void>(resolve => this.#waiting.push(resolve))
    else this.#free -= 1
    try {
      return await work()
    } finally {
      const next = this.#waiting.shift()
      if (next === undefined) this.#free += 1
      else next()
    }
  }
}
