import type { ServerResponse } from 'node:http'
import { isLong, type Ledger } from '../../admission/ledger.ts'
import { errorResponse, type Id, RPC, type RpcError } from '../../protocol/messages.ts'
import { writeJson } from '../../protocol/parse-json.ts'
import type { Principal } from '../../scope/scope.ts'

interface LoggedEvent {
  readonly number: number
  readonly stream: string
  readonly data: string
}

const MAX_EVENTS = 500
const MAX_BYTES = 256 * 1024

/** Keeps recent events of a session's streams. A client that lost a stream can then resume it. */
export class EventLog {
  #events: LoggedEvent[] = []
  #next = 1
  #bytes = 0

  /** Stores an event and returns its id, which includes the stream's name. */
  add(stream: string, data: string): string {
    const number = this.#next++
    this.#events.push({ number, stream, data })
    this.#bytes += data.length
    while (this.#events.length > MAX_EVENTS || this.#bytes > MAX_BYTES) {
      const dropped = this.#events.shift()
      this.#bytes -= dropped?.data.length ?? 0
    }
    return `${stream}_${number}`
  }

  /** Drops the events of a stream whose client has read all of it, because no client will resume it. */
  forget(stream: string): void {
    this.#events = this.#events.filter(event => event.stream !== stream)
    this.#bytes = this.#events.reduce((sum, event) => sum + event.data.length, 0)
  }

  /** Returns the stream to which an event id belongs, and that stream's later events. */
  after(
    eventId: string,
  ): { readonly stream: string; readonly events: readonly (readonly [string, string])[] } | undefined {
    const cut = eventId.lastIndexOf('_')
    const number = Number(eventId.slice(cut + 1))
    if (cut < 1 || !Number.isSafeInteger(number)) return undefined
    const stream = eventId.slice(0, cut)
    const missed = this.#events.filter(
      event => event.stream === stream && event.number > number && event.data !== '',
    )
    return { stream, events: missed.map(event => [`${stream}_${event.number}`, event.data] as const) }
  }
}

interface Batch {
  readonly res: ServerResponse
  readonly principal: Principal
  readonly ledger: Ledger
  /** Maximum total size of the answers that wait, in bytes. */
  readonly mostBytes: number
}

/** Bytes added to each answer for the comma or brackets of the JSON array, rounded up. */
const SEPARATOR_BYTES = 2

/**
 * The answers to a batch. They are sent together when the last one is ready. Until then they count as unread, and an
 * answer that exceeds the limit is dropped.
 */
export class BatchAnswers {
  readonly #batch: Batch
  #bytes = 0
  #held = 0
  #isOver = false

  constructor(batch: Batch) {
    this.#batch = batch
  }

  /** Returns the answer, or an error instead if all answers so far together exceed the limit. */
  keep(id: Id, text: string): string {
    const bytes = this.#bytes + text.length + SEPARATOR_BYTES
    if (!this.#hasRoom(bytes)) return writeJson(errorResponse(id, BATCH_TOO_LONG))
    this.#bytes = bytes
    return text
  }

  /**
   * Ends the batch, because its answers were sent or dropped. Answers that were sent still count until the response
   * closes.
   */
  release(): void {
    this.#isOver = true
    const { res, principal, ledger } = this.#batch
    const release = (): void => ledger.release(principal, this.#held)
    if (res.closed) release()
    else res.once('close', release)
  }

  #hasRoom(bytes: number): boolean {
    const { res, principal, ledger, mostBytes } = this.#batch
    // Nothing can be read from a closed response.
    if (this.#isOver || res.closed || bytes > mostBytes) return false
    if (!isLong(bytes)) return true
    if (!ledger.keep(principal, bytes - this.#held)) return false
    this.#held = bytes
    return true
  }
}

const BATCH_TOO_LONG: RpcError = {
  code: RPC.internal,
  message:
    'The call was made, but its answer is lost, because the unread answers to this batch and to your other requests are too long in total (see limits.unreadPerPrincipal). Check what the call did before you repeat it on its own.',
  data: { code: 'overloaded' },
}
