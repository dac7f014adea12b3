/** What takes less is followed by the next at once, in a round of the event loop of its own. */
const SHORT_MS = 5
const MOST_REST_MS = 200

type Work = () => void
type Leave = () => void

interface Place {
  readonly work: Work
}

/** Who waits may be called off. */
interface Waiting {
  onCancel(listener: () => void): void
}

/**
 * What takes long is done one after the other, the callers in turn, and after each as long is left to everybody else: no one
 * who sends hundreds of it at once keeps others waiting for more than one of them. Who comes alone does not wait.
 *
 * @example
 * longWork.take('agent:bot', () => parse(body))
 */
export class LongWork {
  /** What waits, by caller; the first is next. Sets, so that whoever leaves a long line need not be looked for. */
  readonly #lines = new Map<string, Set<Place>>()
  #isBusy = false

  /** Undefined: it is done. Otherwise it waits, and this is how to leave the line, with all that the work knows. */
  take(caller: string, work: Work): Leave | undefined {
    if (!this.#isBusy) return this.#do(work)
    const line = this.#lines.get(caller) ?? new Set()
    const place = { work }
    this.#lines.set(caller, line.add(place))
    return () => this.#leave(caller, place)
  }

  /**
   * True when it is the caller's turn: what is done then without waiting for anything else counts as its work. False when
   * it was called off before.
   */
  turn(caller: string, waiting: Waiting): Promise<boolean> {
    return new Promise(resolve => {
      const leave = this.take(caller, () => resolve(true))
      if (leave === undefined) return
      waiting.onCancel(() => {
        leave()
        resolve(false)
      })
    })
  }

  #leave(caller: string, place: Place): void {
    const line = this.#lines.get(caller)
    line?.delete(place)
    if (line?.size === 0) this.#lines.delete(caller)
  }

  #do(work: Work): undefined {
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
      const [first] = line
      if (first === undefined) continue
      line.delete(first)
      if (line.size > 0) this.#lines.set(caller, line)
      return this.#do(first.work)
    }
  }
}
