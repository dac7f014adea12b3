import { type Attention, isLongerThanNotifications, Talk } from '../../admission/talk.ts'
import type { InFlight } from '../../base/in-flight.ts'
import { type Id, isRequest, type Notification, type Request } from '../../protocol/messages.ts'
import type { Outgoing } from '../channel/channel.ts'
import { Notifications, type NotificationsDeps } from './notifications.ts'
import type { PendingCall } from './pending-calls.ts'
import { ServerQuestions, type ServerQuestionsDeps } from './server-questions.ts'

/** Maximum length of a notification that is remembered and compared with the next one. */
const SHORT = 200

interface ServerMessagesDeps extends NotificationsDeps, ServerQuestionsDeps {
  readonly attention: Attention
  /** Sends the answer to a question from the server. */
  reply(answer: Pick<Outgoing, 'text' | 'fallback'>): void
}

/**
 * Handles the notifications and questions that a server sends on one connection, and charges the time they take to the
 * server's budget.
 */
export class ServerMessages {
  /** Milliseconds spent on these messages since this field was last reset to 0. */
  ms = 0
  /** The last notification, if it was short. Servers often send the same one repeatedly. */
  last: { readonly text: string; readonly notification: Notification } | undefined
  readonly #calls: InFlight<PendingCall>
  readonly #deps: ServerMessagesDeps
  readonly #talk: Talk
  readonly #questions: ServerQuestions
  readonly #notifications: Notifications

  constructor(calls: InFlight<PendingCall>, deps: ServerMessagesDeps) {
    this.#calls = calls
    this.#deps = deps
    this.#talk = new Talk(deps.attention)
    this.#questions = new ServerQuestions(deps)
    this.#notifications = new Notifications(calls, deps)
  }

  /** Handles a notification or a question. `text` is empty if the message is part of a batch. */
  receive(message: Request | Notification, relatedTo: Id | undefined, text: string): void {
    const startedAt = performance.now()
    if (isRequest(message)) void this.#answer(message, relatedTo)
    // Drops a long notification that the check of the raw text did not recognise.
    else if (!isLongerThanNotifications(text)) {
      this.last = text !== '' && text.length <= SHORT ? { text, notification: message } : undefined
      this.#notifications.receive(message, relatedTo)
    }
    this.ms += performance.now() - startedAt
  }

  /**
   * Charges the server for a text that contains no answer. Returns how long to stop reading that stream, in
   * milliseconds.
   */
  charge(text: string, relatedTo: Id | undefined, startedAt: number): number {
    const now = performance.now()
    const said = { text, workMs: this.#deps.attention.workOf(now - startedAt) }
    const call = this.#calls.get(relatedTo)
    if (call === undefined) return this.#talk.spend(said, now)
    call.talk ??= this.#talk.ofCall()
    return call.talk.spend(said, now)
  }

  /** Charges the server for the notifications and questions in a batch that also contained an answer. */
  chargeBatch(): number {
    const { attention } = this.#deps
    return attention.spend(attention.workOf(this.ms), performance.now())
  }

  async #answer(request: Request, relatedTo: Id | undefined): Promise<void> {
    this.#deps.reply(await this.#questions.answer(request, relatedTo))
  }
}
