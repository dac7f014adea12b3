import { Ticket } from '../admission/fair-queue.ts'
import type { Objection } from './channel/channel.ts'
import type { Connection } from './connection/connection.ts'
import type { SentRequest } from './connection/pending-calls.ts'
import type { Reply, UpstreamRequest } from './connection/upstream-request.ts'

/** The connection that carries a request. */
export interface Route {
  readonly connection: Connection
  /** Whether lists come from this connection. */
  readonly isShared: boolean
}

export interface ServerRequest extends UpstreamRequest {
  /**
   * Asked just before the request uses the given route, and without a route before an answer to a question of the
   * server.
   */
  readonly objectTo?: ((route?: Route) => Objection) | undefined
  /** With `isolation: "session"`, which connection the request belongs to. */
  readonly session: string
  /** Whether executing it twice has no further effect. Absent: a lost request is not sent again. */
  readonly mayRepeat?: boolean
  /** Receives the number of attempts so far, from the second one on. */
  readonly onAttempt?: ((count: number) => void) | undefined
}

export type ServerReply = Reply | { readonly kind: 'overloaded'; readonly why?: string }

/** The reply until `send` sets one. */
const NEVER: Promise<never> = new Promise(() => {})

/** One request and how to cancel it at each point. */
export class Attempt extends Ticket {
  reply: Promise<ServerReply> = NEVER
  /** The deadline, in the time of `performance.now()`. */
  endsAt = Number.POSITIVE_INFINITY
  /** The connection of the last attempt. */
  over: Connection | undefined
  /** Runs on cancellation. */
  onCancel: (() => void) | undefined
  #sent: SentRequest | undefined

  /** For a caller that is gone before the request can be sent. */
  static neverMade(): Attempt {
    const attempt = new Attempt()
    attempt.isCancelled = true
    attempt.reply = Promise.resolve({ kind: 'cancelled' })
    return attempt
  }

  get isSent(): boolean {
    return this.#sent !== undefined
  }

  /** The attempt is lost; the request counts as not sent until it is sent again. */
  startOver(): void {
    this.#sent = undefined
  }

  sendOver(connection: Connection, request: UpstreamRequest): Promise<Reply> {
    this.over = connection
    this.#sent = connection.send(request)
    return this.#sent.reply
  }

  /** Calls back as soon as the server stops working on it, as far as the gateway can know. */
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
