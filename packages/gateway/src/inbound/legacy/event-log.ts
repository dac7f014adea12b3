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

/** What was sent on a session's streams lately, so that a client that lost one can pick it up again. */
export class EventLog {
  #events: LoggedEvent[] = []
  #next = 1
  #bytes = 0

  /** Keeps an event and returns its id, which also names its stream. */
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

  /** The stream reached its end and its reader: nobody will ask for it again. */
  forget(stream: string): void {
    this.#events = this.#events.filter(event => event.stream !== stream)
    this.#bytes = this.#events.reduce((sum, event) => sum + event.data.length, 0)
  }

  /** Which stream an event id belongs to, and what came after it there. */
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
  /** How much of it may wait. */
  readonly mostBytes: number
}

/** What stands around an answer in the list that they become. */
const AROUND = 2

/**
 * The answers of a batch, which wait for the last one. What waits is as good as unread, so it is counted when it comes, and
 * what is too much is not kept until somebody looks.
 */
export class BatchAnswers {
  readonly #batch: Batch
  #bytes = 0
  #held = 0
  #isOver = false

  constructor(batch: Batch) {
    this.#batch = batch
  }

  /** An answer as it is, or what is said instead where it is too much with the ones before. */
  keep(id: Id, text: string): string {
    const bytes = this.#bytes + text.length + AROUND
    if (!this.#hasRoom(bytes)) return writeJson(errorResponse(id, TOO_MUCH_TOGETHER))
    this.#bytes = bytes
    return text
  }

  /** They are sent, or never will be; they count until nobody can read them any more. */
  leave(): void {
    this.#isOver = true
    const { res, principal, ledger } = this.#batch
    const release = (): void => ledger.release(principal, this.#held)
    if (res.closed) release()
    else res.once('close', release)
  }

  #hasRoom(bytes: number): boolean {
    const { res, principal, ledger, mostBytes } = this.#batch
    // Who has hung up reads nothing.
    if (this.#isOver || res.closed || bytes > mostBytes) return false
    if (!isLong(bytes)) return true
    if (!ledger.keep(principal, bytes - this.#held)) return false
    this.#held = bytes
    return true
  }
}

const TOO_MUCH_TOGETHER: RpcError = {
  code: RPC.internal,
  message:
    'The call was made, but its answer is lost: the answers of this batch are too long together, or with others that have not been read yet (see limits.unreadPerPrincipal). Look what the call did before it is repeated, by itself.',
  data: { code: 'overloaded' },
}
