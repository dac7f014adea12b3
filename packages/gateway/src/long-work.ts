/** What takes less is followed by the next at once, in a round of the event loop of its own. */
const SHORT_MS = 5
const MOST_REST_MS = 200

type Work = () => void

/**
 * What takes long is done one after the other, the callers in turn, and after each as long is left to everybody else: no one
 * who sends hundreds of it at once keeps others waiting for more than one of them. Who comes alone does not wait.
 *
 * @example
 * longWork.take('agent:bot', () => parse(body))
 */
export class LongWork {
  /** What waits, by caller; the first is next. */
  readonly #lines = new Map<string, Work[]>()
  #isBusy = false

  take(caller: string, work: Work): void {
    if (!this.#isBusy) return this.#do(work)
    const line = this.#lines.get(caller)
    if (line === undefined) this.#lines.set(caller, [work])
    else line.push(work)
  }

  /** Resolves when it is the caller's turn. What is done then without waiting for anything else counts as its work. */
  turn(caller: string): Promise<void> {
    return new Promise(resolve => this.take(caller, resolve))
  }

  #do(work: Work): void {
    this.#isBusy = true
    const begunAt = performance.now()
    // By then all is done that the work has set off, but for what it waits for.
    setImmediate(() => {
      const took = performance.now() - begunAt
      if (took < SHORT_MS) this.#next()
      else setTimeout(() => this.#next(), Math.min(took, MOST_REST_MS))
    })
    work()
  }

  #next(): void {
    this.#isBusy = false
    for (const [caller, line] of this.#lines) {
      // Whoever had a turn stands behind all others.
      this.#lines.delete(caller)
      const work = line.shift()
      if (line.length > 0) this.#lines.set(caller, line)
      if (work !== undefined) return this.#do(work)
    }
  }
}
