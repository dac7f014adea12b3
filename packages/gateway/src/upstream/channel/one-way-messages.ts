import { Backlog } from '../../admission/backlog.ts'
import { LIMITS } from '../../admission/limits.ts'
import type { Failure, Outgoing } from './channel.ts'

const { count, length } = LIMITS.questions.ofServer
/** Limits on notifications that wait to be sent. Each question usually causes some, and so do calls. */
const MOST_NOTIFICATIONS = { count: 4 * count, length }
/**
 * Limits on fallbacks, the shorter answers that are sent when a full answer does not fit. They are small and rarely
 * needed.
 */
const MOST_FALLBACKS = { count: count / 4, length: length / 8 }
/** How many answers of maximum length can wait to be sent, since several people may answer at the same time. */
const BODIES = 8

/** How long a server may take to accept a one-way message. */
export const ONE_WAY_MS = 10_000

/**
 * Limits the one-way messages that wait to be sent to a server. The server decides how many questions it asks and
 * whether it reads the answers, so a server that keeps asking without reading loses its connection. Notifications come
 * from the gateway itself, so they are dropped if there is no room.
 */
export class OneWayMessages {
  readonly #answers: Backlog
  readonly #fallbacks = new Backlog(MOST_FALLBACKS)
  readonly #notifications = new Backlog(MOST_NOTIFICATIONS)
  readonly #waiting = new Map<Outgoing, Backlog>()

  /** `bodyBytes` is the maximum length of an answer that a person or a model gives. */
  constructor(bodyBytes: number) {
    this.#answers = new Backlog({ count: 4 * count, length: BODIES * bodyBytes })
  }

  /**
   * Returns the message to send; undefined if the message is dropped; or `unread` if the server is not reading. The
   * caller must call `release` once the message was sent.
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
  detail:
    'the gateway closed the connection, because the server asks questions but does not read the answers',
  notSent: false,
}
