import { Backlog } from '../../admission/backlog.ts'
import { LIMITS } from '../../admission/limits.ts'
import type { Failure, Outgoing } from './channel.ts'

const { count, length } = LIMITS.questions.ofServer
/** Limits on waiting notifications. Questions usually cause some, and calls cause others. */
const MOST_NOTIFICATIONS = { count: 4 * count, length }
/** Limits on waiting fallbacks, which are short and rarely needed. */
const MOST_FALLBACKS = { count: count / 4, length: length / 8 }
/** How many answers of the maximum length may wait, because several people may answer at the same time. */
const BODIES = 8

/** How long a server may take to accept a message that needs no reply. */
export const ONE_WAY_MS = 10_000

/**
 * Limits the messages without a reply that wait to be written to a server. The server decides how many answers it asks
 * for and whether it reads them, so a server that asks and does not read loses its connection. The gateway decides how
 * many notifications it sends, so these are dropped if there is no room.
 */
export class OneWayMessages {
  readonly #answers: Backlog
  readonly #fallbacks = new Backlog(MOST_FALLBACKS)
  readonly #notifications = new Backlog(MOST_NOTIFICATIONS)
  readonly #waiting = new Map<Outgoing, Backlog>()

  /** `bodyBytes` is the maximum length of an answer from a person or a model. */
  constructor(bodyBytes: number) {
    this.#answers = new Backlog({ count: 4 * count, length: BODIES * bodyBytes })
  }

  /**
   * Returns the message to send, undefined if it is dropped, or `unread` if the server does not read. Call `release`
   * when it has been sent.
   */
  admit(message: Outgoing): Outgoing | undefined | 'unread' {
    const { fallback } = message
    if (fallback === undefined) return this.#take(this.#notifications, message)
    const answer = this.#take(this.#answers, message)
    return answer ?? this.#take(this.#fallbacks, { ...message, text: fallback() }) ?? 'unread'
  }

  release(message: Outgoing): void {
    this.#waiting.get(message)?.leave(message.text.length)
    this.#waiting.delete(message)
  }

  #take(backlog: Backlog, message: Outgoing): Outgoing | undefined {
    if (!backlog.take(message.text.length)) return undefined
    this.#waiting.set(message, backlog)
    return message
  }
}

export const ANSWERS_UNREAD: Failure = {
  kind: 'unavailable',
  detail: 'the gateway closed the connection: the server asks questions and does not read the answers',
  notSent: false,
}
