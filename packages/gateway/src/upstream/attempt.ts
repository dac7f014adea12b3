import { Ticket } from '../admission/fair-queue.ts'
import type { Objection } from './channel/channel.ts'
import type { Connection } from './connection/connection.ts'
import type { SentRequest } from './connection/pending-calls.ts'
import type { Reply, UpstreamRequest } from './connection/upstream-request.ts'

/** The connection that carries a request. */
export interface Route {
  readonly connection: Connection
  /** True for the shared connection, over which lists are requested. */
  readonly isShared: boolean
}

export interface ServerRequest extends UpstreamRequest {
  /**
   * Called just before a request is sent over a route, and without a route before a server's question is answered.
   * Returns an objection if sending is no longer allowed.
   */
  readonly objectTo?: ((route?: Route) => Objection) | undefined
  /** Identifies the connection for this request if the server has `isolation: "session"`. */
  readonly session: string
  /**
   * True if executing the request twice has no further effect. Otherwise the request is not sent again after it was
   * lost.
   */
  readonly mayRepeat?: boolean
  /** Called before every attempt except the first, with the attempt's number. */
  readonly onAttempt?: ((count: number) => void) | undefined
}

export type ServerReply = Reply | { readonly kind: 'overloaded'; readonly why?: string }

/** The initial value of `reply`, until `send` replaces it. */
const NEVER: Promise<never> = new Promise(() => {})

/** A request that can be cancelled at any time. */
export class Attempt extends Ticket {
  reply: Promise<ServerReply> = NEVER
  /** The deadline, on the clock of `performance.now()`. */
  endsAt = Number.POSITIVE_INFINITY
  /** The connection that the last attempt used. */
  over: Connection | undefined
  /** Called when the request is cancelled. */
  onCancel: (() => void) | undefined
  #sent: SentRequest | undefined

  /** Creates an attempt for a caller who cancelled before anything could be sent. */
  static neverMade(): Attempt {
    const attempt = new Attempt()
    attempt.isCancelled = true
    attempt.reply = Promise.resolve({ kind: 'cancelled' })
    return attempt
  }

  get isSent(): boolean {
    return this.#sent !== undefined
  }

  /** Called when an attempt is lost. Until the request is sent again, it counts as not sent. */
  startOver(): void {
    this.#sent = undefined
  }

  sendOver(connection: Connection, request: UpstreamRequest): Promise<Reply> {
    this.over = connection
    this.#sent = connection.send(request)
    return this.#sent.reply
  }

  /**
   * Calls back when the server stops working on the request, or when the gateway can no longer find out whether it has.
   */
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
