/**
 * The result of one request. `later` means that the server is busy or down, and `unanswered` that it gave no answer.
 */
export type SubscribeResult = 'done' | 'changed' | 'later' | 'unanswered'

export interface SubscribeDeps {
  readonly send: (uri: string) => Promise<SubscribeResult>
  readonly pause: (ms: number) => Promise<unknown>
}

/** Maximum number of callers that are served at the same time. */
const MOST_AT_ONCE = 4
/** After this many requests without an answer, the gateway sends no more until a caller asks again. */
const MOST_UNANSWERED = 3
/**
 * The first pause before a request to a busy or stopped server is repeated. Each further pause is twice as long, up to
 * `LONGEST_PAUSE_MS`.
 */
const PAUSE_MS = 1000
const LONGEST_PAUSE_MS = 30_000

/** For each waiting URI, the number of requests that got no answer. */
type Queue = Map<string, number>

/**
 * Sends subscription requests to a server, one at a time for each caller and in parallel for several callers. A caller
 * whose URIs get no answer therefore delays only itself.
 */
export class SubscribeInTurn {
  readonly #deps: SubscribeDeps
  readonly #queues = new Map<string, Queue>()
  /** Callers that wait for a slot, in order of arrival. */
  readonly #waiting: (() => void)[] = []
  #free = MOST_AT_ONCE
  #isClosed = false

  constructor(telling: SubscribeDeps) {
    this.#deps = telling
  }

  add(caller: string, uris: readonly string[]): void {
    const known = this.#queues.get(caller)
    const queue: Queue = known ?? new Map()
    for (const uri of uris) queue.set(uri, 0)
    if (known !== undefined) return
    this.#queues.set(caller, queue)
    void this.#sendAll(caller, queue)
  }

  close(): void {
    this.#isClosed = true
  }

  /** Runs until all of the caller's requests have been sent to the server. */
  async #sendAll(caller: string, queue: Queue): Promise<void> {
    let pause = PAUSE_MS
    // The loop also reaches URIs that are added (or added again) while it runs.
    for (const [uri, unanswered] of queue) {
      if (this.#isClosed) return
      queue.delete(uri)
      const result = await this.#inSlot(() => this.#deps.send(uri))
      if (result === 'done' || result === 'changed') {
        pause = PAUSE_MS
        if (result === 'changed') queue.set(uri, 0)
        continue
      }
      const failed = result === 'unanswered' ? unanswered + 1 : unanswered
      if (failed < MOST_UNANSWERED && !queue.has(uri)) queue.set(uri, failed)
      await this.#deps.pause(pause)
      pause = Math.min(2 * pause, LONGEST_PAUSE_MS)
    }
    this.#queues.delete(caller)
  }

  async #inSlot<T>(work: () => Promise<T>): Promise<T> {
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
