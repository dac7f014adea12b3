import { FairQueue, Ticket } from './fair-queue.ts'
import { LIMITS } from './limits.ts'

const { shortMs, mostRestMs, perCaller, leastAnswer } = LIMITS.longWork

/** A caller that waits in the queue and can be cancelled. */
interface Waiting {
  onCancel(listener: () => void): void
}

/**
 * Runs long work one piece at a time, callers in turn, with a pause after each piece as long as the piece took. A
 * caller that sends hundreds of long bodies delays the others by at most one piece. Work starts immediately if no other
 * is running.
 *
 * @example
 * longWork.take('agent:bot', () => parse(body))
 */
export class LongWork {
  readonly #queue = new FairQueue({ slots: 1, waiting: Number.POSITIVE_INFINITY, size: perCaller })

  /**
   * Runs the work now, or queues it. If the work is queued, returns a function that removes it and frees its memory.
   */
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
   * Resolves to true when it is the caller's turn; the synchronous work after that is measured. Resolves to false if
   * the caller was cancelled first.
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
   * Like `turn`, for an answer of this many bytes that is about to be processed. Undefined if the answer is too short
   * to wait for a turn, or if the waiting answers already use too much memory.
   */
  turnForAnswer(caller: string, waiting: Waiting, bytes: number): undefined | Promise<boolean> {
    const isWaiting = bytes >= leastAnswer && this.#queue.hasSpaceFor(caller, bytes)
    return isWaiting ? this.turn(caller, waiting, bytes) : undefined
  }

  #begin(ticket: Ticket): true {
    const begunAt = performance.now()
    const leave = (): void => this.#queue.release(ticket)
    // When this runs, all synchronous work of the turn is done.
    setImmediate(() => {
      const took = performance.now() - begunAt
      if (took < shortMs) leave()
      else setTimeout(leave, Math.min(took, mostRestMs))
    })
    return true
  }
}
