import type { Attention } from '../../admission/talk.ts'
import type { InFlight } from '../../base/in-flight.ts'
import type { Id, Json, Notification } from '../../protocol/messages.ts'
import type { Owner } from './callers.ts'
import { inNumbers, inOwnName, mayBeSaid, readNews } from './of-its-own-accord.ts'
import { deadlineOf, ownerOf, type PendingCall } from './pending-calls.ts'
import type { Screen } from './screen-questions.ts'
import type { WhomMeant } from './whom-meant.ts'

export interface EventListener {
  /**
   * A notification that belongs to no request: list changes, resource updates, logs. `owner`: the only caller whom
   * it can be about; absent if there are several, or none.
   */
  onEvent(notification: Notification, owner: Owner | undefined): void
}

export interface NotificationMeans {
  readonly meant: WhomMeant
  readonly listener: EventListener
  readonly screen: Screen | undefined
  readonly attention: Attention
}

const PROGRESS = 'notifications/progress'

/** What a server says that asks and answers nothing, told to whom it is about. */
export class Notifications {
  readonly #calls: InFlight<PendingCall>
  readonly #means: NotificationMeans

  constructor(calls: InFlight<PendingCall>, means: NotificationMeans) {
    this.#calls = calls
    this.#means = means
  }

  hear(said: Notification, relatedTo: Id | undefined): void {
    const news = readNews(said)
    if (news !== undefined) this.#announce(news, relatedTo)
    else if (said.method === PROGRESS) this.#hearProgress(said.params ?? {})
    else if (mayBeSaid(said.method)) this.#hearTalk(said, relatedTo)
  }

  /**
   * Also what came in the course of a call: the catalog has to know, and whoever listens hears of it from us. Only what we
   * subscribed to goes to who reads the subscription.
   */
  #announce(news: Notification, relatedTo: Id | undefined): void {
    const request = this.#calls.get(relatedTo)?.request
    const isOurs = request?.behind !== undefined && ownerOf(request) === undefined
    if (isOurs) request?.behind?.notify(news)
    else this.#means.listener.onEvent(news, undefined)
  }

  #hearProgress(params: Json): void {
    const call = this.#calls.get(params.progressToken)
    // Whoever wants to know how far a call is gives it a token; for others it is no reason to wait any longer.
    if (call?.progressToken === undefined) return
    const isSpent = this.#means.attention.isSpent(performance.now())
    const shown = this.#show(isSpent ? inNumbers(params) : params)
    if (shown === undefined) return
    // Who reports progress is not stuck, but may not go on for ever.
    call.deadline = Math.min(deadlineOf(call.request), call.latest)
    call.heard ??= 'progress'
    const { progressToken } = call
    call.request.behind?.notify({ jsonrpc: '2.0', method: PROGRESS, params: { ...shown, progressToken } })
  }

  /** Log lines, mostly. They can be done without where the server keeps us busy with them. */
  #hearTalk({ method, params }: Notification, relatedTo: Id | undefined): void {
    if (this.#means.attention.isSpent(performance.now())) return
    const shown = this.#show(params)
    if (params !== undefined && shown === undefined) return
    // Nothing but what a notification has: any other member of it was seen by nobody.
    const talk = inOwnName({ jsonrpc: '2.0', method, ...(shown === undefined ? {} : { params: shown }) })
    const call = this.#means.meant.callOf(relatedTo)
    if (call?.request.behind !== undefined) call.request.behind.notify(talk)
    else this.#means.listener.onEvent(talk, this.#means.meant.findOwner(relatedTo))
  }

  #show(params: Json | undefined): Json | undefined {
    const { screen } = this.#means
    return params === undefined || screen === undefined ? params : screen.said(params)
  }
}
