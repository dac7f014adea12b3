import { Backlog } from '../../admission/backlog.ts'
import { LIMITS } from '../../admission/limits.ts'
import type { Failure, Outgoing } from './channel.ts'

const { count, length } = LIMITS.questions.ofServer
/** A question is mostly followed by some notifications, and there are those of calls, too. */
const MOST_NEWS = { count: 4 * count, length }
/** What is said instead of answers that are too long is short, and there is little of it. */
const MOST_EXCUSES = { count: count / 4, length: length / 8 }
/** Several people may answer at once, each at the greatest length. */
const BODIES = 8

/** For how long a server may take to accept what needs no answer. */
export const ASIDE_MS = 10_000

/**
 * What a server is told apart from calls. Of answers it decides how many there are, and whether it takes them: whoever asks
 * and does not listen is not served any further. Of notifications we decide, so that they are never held against it: what
 * finds no room is not said.
 */
export class Asides {
  readonly #answers: Backlog
  readonly #excuses = new Backlog(MOST_EXCUSES)
  readonly #news = new Backlog(MOST_NEWS)
  readonly #waiting = new Map<Outgoing, Backlog>()

  /** `bodyBytes`: as long as anything may be that people or models answer. */
  constructor(bodyBytes: number) {
    this.#answers = new Backlog({ count: 4 * count, length: BODIES * bodyBytes })
  }

  /** Gives what is to be said; undefined for nothing. Whoever has said it reports that to `leave`. */
  admit(message: Outgoing): Outgoing | undefined | 'not-listening' {
    const { otherwise } = message
    if (otherwise === undefined) return this.#take(this.#news, message)
    const answer = this.#take(this.#answers, message)
    return answer ?? this.#take(this.#excuses, { ...message, text: otherwise() }) ?? 'not-listening'
  }

  leave(message: Outgoing): void {
    this.#waiting.get(message)?.leave(message.text.length)
    this.#waiting.delete(message)
  }

  #take(backlog: Backlog, message: Outgoing): Outgoing | undefined {
    if (!backlog.take(message.text.length)) return undefined
    this.#waiting.set(message, backlog)
    return message
  }
}

export const NOT_LISTENING: Failure = {
  kind: 'unavailable',
  detail: 'the connection was closed: the server asks, and does not take the answers',
  notSent: false,
}
