import { type Attention, isLongerThanNotifications, Talk } from '../../admission/talk.ts'
import type { InFlight } from '../../base/in-flight.ts'
import { type Id, isRequest, type Notification, type Request } from '../../protocol/messages.ts'
import type { Outgoing } from '../channel/channel.ts'
import { type NotificationMeans, Notifications } from './notifications.ts'
import type { PendingCall } from './pending-calls.ts'
import { type QuestionMeans, ServerQuestions } from './server-questions.ts'

/** Longer notifications are not compared with the one before. */
const SHORT = 200

interface BesideMeans extends NotificationMeans, QuestionMeans {
  readonly attention: Attention
  /** Takes the answer to a question of the server. */
  reply(answer: Pick<Outgoing, 'text' | 'otherwise'>): void
}

/** What a server says on one connection that answers nothing: its notifications and questions, and what they cost us. */
export class BesideAnswers {
  /** How long it kept us busy since this was set to 0. */
  ms = 0
  /** The last notification, where it is short: a server may say the same again and again. */
  last: { readonly text: string; readonly notification: Notification } | undefined
  readonly #calls: InFlight<PendingCall>
  readonly #means: BesideMeans
  readonly #talk: Talk
  readonly #questions: ServerQuestions
  readonly #notifications: Notifications

  constructor(calls: InFlight<PendingCall>, means: BesideMeans) {
    this.#calls = calls
    this.#means = means
    this.#talk = new Talk(means.attention)
    this.#questions = new ServerQuestions(means)
    this.#notifications = new Notifications(calls, means)
  }

  /** `text` is empty for a part of a batch. */
  hear(message: Request | Notification, relatedTo: Id | undefined, text: string): void {
    const startedAt = performance.now()
    if (isRequest(message)) void this.#answer(message, relatedTo)
    // However it is written.
    else if (!isLongerThanNotifications(text)) {
      this.last = text !== '' && text.length <= SHORT ? { text, notification: message } : undefined
      this.#notifications.hear(message, relatedTo)
    }
    this.ms += performance.now() - startedAt
  }

  /** What came had no answer in it. Gives for how long the server is not to be listened to where it said this. */
  charge(text: string, relatedTo: Id | undefined, startedAt: number): number {
    const now = performance.now()
    const said = { text, workMs: this.#means.attention.workOf(now - startedAt) }
    const call = this.#calls.get(relatedTo)
    if (call === undefined) return this.#talk.spend(said, now)
    call.talk ??= this.#talk.ofCall()
    return call.talk.spend(said, now)
  }

  /** The same for what came in one batch with an answer. */
  chargeBatch(): number {
    const { attention } = this.#means
    return attention.spend(attention.workOf(this.ms), performance.now())
  }

  async #answer(request: Request, relatedTo: Id | undefined): Promise<void> {
    this.#means.reply(await this.#questions.answer(request, relatedTo))
  }
}
