import { FairQueue, Visitor } from './fair-queue.ts'
import { LIMITS } from './limits.ts'

const { shortMs, mostRestMs, perCaller, leastAnswer } = LIMITS.longWork

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
  readonly #queue = new FairQueue({ places: 1, waiting: Number.POSITIVE_INFINITY, size: perCaller })

  /** Undefined: it is done. Otherwise it waits, and this is how to leave the line, with all that the work knows. */
  take(caller: string, work: () => void): (() => void) | undefined {
    const visitor = new Visitor()
    const turn = this.#queue.enter(visitor, caller)
    if (typeof turn === 'string') {
      this.#begin(visitor)
      work()
      return undefined
    }
    void turn.then(given => {
      if (given === 'granted' && this.#begin(visitor)) work()
    })
    return () => visitor.giveUp()
  }

  /**
   * True when it is the caller's turn: what is done then without waiting for anything else counts as its work. False when
   * it was called off before.
   */
  turn(caller: string, waiting: Waiting, size = 0): Promise<boolean> {
    const visitor = new Visitor()
    visitor.size = size
    const turn = this.#queue.enter(visitor, caller)
    if (typeof turn === 'string') return Promise.resolve(this.#begin(visitor))
    waiting.onCancel(() => visitor.giveUp())
    return turn.then(given => given === 'granted' && this.#begin(visitor))
  }

  /**
   * The same for a long answer of so many bytes before it is looked through. Undefined: it need not wait, because it is
   * short, or may not, because memory is worth more than time.
   */
  turnForAnswer(caller: string, waiting: Waiting, bytes: number): undefined | Promise<boolean> {
    const isWaiting = bytes >= leastAnswer && this.#queue.hasRoomFor(caller, bytes)
    return isWaiting ? this.turn(caller, waiting, bytes) : undefined
  }

  #begin(visitor: Visitor): true {
    const begunAt = performance.now()
    const leave = (): void => this.#queue.leave(visitor)
    // By then all is done that the work has set off, but for what it waits for.
    setImmediate(() => {
      const took = performance.now() - begunAt
      if (took < shortMs) leave()
      else setTimeout(leave, Math.min(took, mostRestMs))
    })
    return true
  }
}
