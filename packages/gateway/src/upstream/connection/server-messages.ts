import { type Attention, isLongerThanNotifications, Talk } from '../../admission/talk.ts'
import type { InFlight } from '../../base/in-flight.ts'
import { type Id, isRequest, type Notification, type Request } from '../../protocol/messages.ts'
import type { Outgoing } from '../channel/channel.ts'
import { Notifications, type NotificationsDeps } from './notifications.ts'
import type { PendingCall } from './pending-calls.ts'
import { ServerQuestions, type ServerQuestionsDeps } from './server-questions.ts'

/** Maximum length of a notification that is compared with the previous one. */
const SHORT = 200

interface ServerMessagesDeps extends NotificationsDeps, ServerQuestionsDeps {
  readonly attention: Attention
  /** Sends the answer to a server's question. */
  reply(answer: Pick<Outgoing, 'text' | 'fallback'>): void
}

/**
 * Handles the notifications and questions that a server sends on one connection, and charges for the time that they
 * take.
 */
export class ServerMessages {
  /** The time spent on these messages since this was last set to 0, in milliseconds. */
  ms = 0
  /** The last notification, if it is short: servers often repeat the same one. */
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

  /** Handles a notification or question. `text` is empty for a part of a batch. */
  receive(message: Request | Notification, relatedTo: Id | undefined, text: string): void {
    const startedAt = performance.now()
    if (isRequest(message)) void this.#answer(message, relatedTo)
    // The condition drops long notifications that the check of the raw text did not recognise.
    else if (!isLongerThanNotifications(text)) {
      this.last = text !== '' && text.length <= SHORT ? { text, notification: message } : undefined
      this.#notifications.receive(message, relatedTo)
    }
    this.ms += performance.now() - startedAt
  }

  /** Charges for a text without answers. Returns how many milliseconds to stop reading its stream. */
  charge(text: string, relatedTo: Id | undefined, startedAt: number): number {
    const now = performance.now()
    const said = { text, workMs: this.#deps.attention.workOf(now - startedAt) }
    const call = this.#calls.get(relatedTo)
    if (call === undefined) return this.#talk.spend(said, now)
    call.talk ??= this.#talk.ofCall()
    return call.talk.spend(said, now)
  }

  /** Charges for the notifications and questions in a batch that also contained an answer. */
  chargeBatch(): number {
    const { attention } = this.#deps
    return attention.spend(attention.workOf(this.ms), performance.now())
  }

  async #answer(request: Request, relatedTo: Id | undefined): Promise<void> {
    this.#deps.reply(await this.#questions.answer(request, relatedTo))
  }
}
