import { Ticket } from '../admission/fair-queue.ts'
import type { Objection } from './channel/channel.ts'
import type { Connection } from './connection/connection.ts'
import type { SentRequest } from './connection/pending-calls.ts'
import type { Reply, UpstreamRequest } from './connection/upstream-request.ts'

/** The connection that carries a request. */
export interface Route {
  readonly connection: Connection
  /** True for the connection that lists are requested from. */
  readonly isShared: boolean
}

export interface ServerRequest extends UpstreamRequest {
  /**
   * Called just before the request uses this route, and without a route before an answer to the server's question is
   * sent.
   */
  readonly objectTo?: ((route?: Route) => Objection) | undefined
  /** With `isolation: "session"`, identifies the connection of the request. */
  readonly session: string
  /** True if executing the request twice has no further effect. Otherwise it is not sent again after it was lost. */
  readonly mayRepeat?: boolean
  /** Called before every attempt after the first, with its number. */
  readonly onAttempt?: ((count: number) => void) | undefined
}

export type ServerReply = Reply | { readonly kind: 'overloaded'; readonly why?: string }

/** The value of `reply` until `send` sets it. */
const NEVER: Promise<never> = new Promise(() => {})

/** One request, which can be cancelled at any time. */
export class Attempt extends Ticket {
  reply: Promise<ServerReply> = NEVER
  /** The deadline, in the time of `performance.now()`. */
  endsAt = Number.POSITIVE_INFINITY
  /** The connection of the last attempt. */
  over: Connection | undefined
  /** Runs on cancellation. */
  onCancel: (() => void) | undefined
  #sent: SentRequest | undefined

  /** An attempt for a caller who cancelled before the request could be sent. */
  static neverMade(): Attempt {
    const attempt = new Attempt()
    attempt.isCancelled = true
    attempt.reply = Promise.resolve({ kind: 'cancelled' })
    return attempt
  }

  get isSent(): boolean {
    return this.#sent !== undefined
  }

  /** Called when an attempt is lost. The request counts as not sent until it is sent again. */
  startOver(): void {
    this.#sent = undefined
  }

  sendOver(connection: Connection, request: UpstreamRequest): Promise<Reply> {
    this.over = connection
    this.#sent = connection.send(request)
    return this.#sent.reply
  }

  /** Calls back as soon as the server stops working on the request, as far as the gateway can know. */
  whenDone(onDone: () => void): void {
    if (this.#sent === undefined) onDone()
    else this.#sent.whenDone(onDone)
  }

  cancel(reason?: string): void {
    this.stopWaiting()
    this.#sent?.cancel(reason)
    this.onCancel?.()
  }
}
