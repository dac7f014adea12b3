import type { LongWork } from '../admission/long-work.ts'
import type { Exchange } from '../exchange/exchange.ts'
import type { ServerReply } from '../upstream/attempt.ts'

/** What is shorter is looked through in a few hundredths of a second, whatever it is made of. */
const LONG_BYTES = 256 * 1024
/** Taken apart they are several times as long, and stay in memory while they wait. */
const MOST_WAITING_BYTES = 32 * 1024 * 1024

type Behind = Pick<Exchange, 'caller' | 'onCancel'>

/**
 * Long answers are looked through in turn with everything else that takes long, the callers one after the other: whoever has
 * many of them at once keeps nobody else waiting for all of them.
 */
export class LongAnswers {
  readonly #longWork: LongWork
  /** Bytes that wait, by caller. */
  readonly #waiting = new Map<string, number>()

  constructor(longWork: LongWork) {
    this.#longWork = longWork
  }

  /** Undefined: it need not wait. Otherwise true when its turn has come, and false when nobody wants it any more. */
  take(reply: ServerReply, behind: Behind): undefined | Promise<boolean> {
    const bytes = reply.kind === 'answer' ? (reply.bytes ?? 0) : 0
    if (bytes < LONG_BYTES) return undefined
    const { id } = behind.caller.principal
    const waiting = this.#waiting.get(id) ?? 0
    // Memory is worth more than time.
    if (waiting + bytes > MOST_WAITING_BYTES) return undefined
    this.#waiting.set(id, waiting + bytes)
    return this.#longWork.turn(id, behind).finally(() => this.#forget(id, bytes))
  }

  #forget(id: string, bytes: number): void {
    const left = (this.#waiting.get(id) ?? 0) - bytes
    if (left > 0) this.#waiting.set(id, left)
    else this.#waiting.delete(id)
  }
}
