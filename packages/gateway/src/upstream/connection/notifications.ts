import type { Attention } from '../../admission/talk.ts'
import type { InFlight } from '../../base/in-flight.ts'
import type { Id, Json, Notification } from '../../protocol/messages.ts'
import type { Owner } from './callers.ts'
import type { RecipientFinder } from './find-recipient.ts'
import { deadlineOf, ownerOf, type PendingCall } from './pending-calls.ts'
import type { Screen } from './screen-questions.ts'
import { maySend, readServerNews, withoutText, withServerLogger } from './server-methods.ts'

export interface EventListener {
  /**
   * Called for a notification that belongs to no request: a list change, a resource update, or a log line. `owner` is
   * the only caller that it can belong to; undefined if there are several or none.
   */
  onEvent(notification: Notification, owner: Owner | undefined): void
}

export interface NotificationsDeps {
  readonly recipients: RecipientFinder
  readonly listener: EventListener
  readonly screen: Screen | undefined
  readonly attention: Attention
}

const PROGRESS = 'notifications/progress'

/** Passes a server's notifications to the callers that they concern. */
export class Notifications {
  readonly #calls: InFlight<PendingCall>
  readonly #deps: NotificationsDeps

  constructor(calls: InFlight<PendingCall>, deps: NotificationsDeps) {
    this.#calls = calls
    this.#deps = deps
  }

  receive(said: Notification, relatedTo: Id | undefined): void {
    const news = readServerNews(said)
    if (news !== undefined) this.#receiveNews(news, relatedTo)
    else if (said.method === PROGRESS) this.#receiveProgress(said.params ?? {})
    else if (maySend(said.method)) this.#receiveOther(said, relatedTo)
  }

  /**
   * Handles notifications about the server itself, even during a call. The catalog needs them, and the gateway informs
   * its own subscribers. Those that come on a subscription's stream go only to that subscription's reader.
   */
  #receiveNews(news: Notification, relatedTo: Id | undefined): void {
    const request = this.#calls.get(relatedTo)?.request
    const isOurs = request?.client !== undefined && ownerOf(request) === undefined
    if (isOurs) request?.client?.notify(news)
    else this.#deps.listener.onEvent(news, undefined)
  }

  #receiveProgress(params: Json): void {
    const call = this.#calls.get(params.progressToken)
    // A caller that wants progress sends a token. Without a token, progress is dropped and does not extend the
    // deadline.
    if (call?.progressToken === undefined) return
    const isSpent = this.#deps.attention.isSpent(performance.now())
    const shown = this.#show(isSpent ? withoutText(params) : params)
    if (shown === undefined) return
    // Progress extends the deadline, but only up to a limit.
    call.deadline = Math.min(deadlineOf(call.request), call.latest)
    call.delivered ??= 'progress'
    const { progressToken } = call
    call.request.client?.notify({ jsonrpc: '2.0', method: PROGRESS, params: { ...shown, progressToken } })
  }

  /**
   * Handles all other notifications, which are usually log lines. They are dropped while the server keeps the gateway
   * too busy.
   */
  #receiveOther({ method, params }: Notification, relatedTo: Id | undefined): void {
    if (this.#deps.attention.isSpent(performance.now())) return
    const shown = this.#show(params)
    if (params !== undefined && shown === undefined) return
    // Only the standard members of a notification are copied, because the checks read no others.
    const talk = withServerLogger({
      jsonrpc: '2.0',
      method,
      ...(shown === undefined ? {} : { params: shown }),
    })
    const call = this.#deps.recipients.callOf(relatedTo)
    if (call?.request.client !== undefined) call.request.client.notify(talk)
    else this.#deps.listener.onEvent(talk, this.#deps.recipients.findOwner(relatedTo))
  }

  #show(params: Json | undefined): Json | undefined {
    const { screen } = this.#deps
    return params === undefined || screen === undefined ? params : screen.checkNotification(params)
  }
}
