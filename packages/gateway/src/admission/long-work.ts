import { FairQueue, Ticket } from './fair-queue.ts'
import { LIMITS } from './limits.ts'

const { shortMs, mostRestMs, perCaller, leastAnswer } = LIMITS.longWork

/** A queued caller that can be cancelled. */
interface Waiting {
  onCancel(listener: () => void): void
}

/**
 * Runs long work one piece at a time, callers in turn, with pauses as long as each piece took. A caller that sends
 * hundreds of long bodies delays the others by one piece at most. Work of a single caller does not wait.
 *
 * @example
 * longWork.take('agent:bot', () => parse(body))
 */
export class LongWork {
  readonly #queue = new FairQueue({ slots: 1, waiting: Number.POSITIVE_INFINITY, size: perCaller })

  /** Undefined when the work is done. Otherwise it is queued; the returned function removes it and frees its memory. */
  take(caller: string, work: () => void): (() => void) | undefined {
    const ticket = new Ticket()
    const turn = this.#queue.enter(ticket, caller)
    if (typeof turn === 'string') {
      this.#begin(ticket)
      work()
      return undefined
    }
    void turn.then(given => {
      if (given === 'granted' && this.#begin(ticket)) work()
    })
    return () => ticket.stopWaiting()
  }

  /**
   * Resolves to true when it is the caller's turn: the synchronous work after that counts. Resolves to false when it
   * was cancelled before.
   */
  turn(caller: string, waiting: Waiting, size = 0): Promise<boolean> {
    const ticket = new Ticket()
    ticket.size = size
    const turn = this.#queue.enter(ticket, caller)
    if (typeof turn === 'string') return Promise.resolve(this.#begin(ticket))
    waiting.onCancel(() => ticket.stopWaiting())
    return turn.then(given => given === 'granted' && this.#begin(ticket))
  }

  /**
   * The same for a long answer of so many bytes, before it is processed. Undefined when it need not wait because it is
   * short, or must not wait because too much memory is in use.
   */
  turnForAnswer(caller: string, waiting: Waiting, bytes: number): undefined | Promise<boolean> {
    const isWaiting = bytes >= leastAnswer && this.#queue.hasSpaceFor(caller, bytes)
    return isWaiting ? this.turn(caller, waiting, bytes) : undefined
  }

  #begin(ticket: Ticket): true {
    const begunAt = performance.now()
    const leave = (): void => this.#queue.release(ticket)
    // All synchronous work of the turn is done by then.
    setImmediate(() => {
      const took = performance.now() - begunAt
      if (took < shortMs) leave()
      else setTimeout(leave, Math.min(took, mostRestMs))
    })
    return true
  }
}
