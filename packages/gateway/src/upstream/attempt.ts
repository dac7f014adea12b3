import { Ticket } from '../admission/fair-queue.ts'
import type { Objection } from './channel/channel.ts'
import type { Connection } from './connection/connection.ts'
import type { Sent } from './connection/pending-calls.ts'
import type { Reply, UpstreamRequest } from './connection/upstream-request.ts'

/** Over which connection a request is about to go. */
export interface Passage {
  readonly connection: Connection
  /** Whether this is the connection that lists come from. */
  readonly isShared: boolean
}

export interface ServerRequest extends UpstreamRequest {
  /** With a passage: asked before it takes that way. */
  readonly objectTo?: ((passage?: Passage) => Objection) | undefined
  /** With `isolation: "session"`, which connection the request belongs to. */
  readonly session: string
  /** Whether repeating it does nothing more, even if it was executed. Absent: it is not sent again because it got lost. */
  readonly mayRepeat?: boolean
  /** Told how often the request was sent so far, where that is more than once. */
  readonly onAttempt?: ((count: number) => void) | undefined
}

export type ServerReply = Reply | { readonly kind: 'overloaded'; readonly why?: string }

/** Until the request has found its way. */
const NEVER: Promise<never> = new Promise(() => {})

/** One request on its way, and how to stop it at each point. */
export class Attempt extends Ticket {
  reply: Promise<ServerReply> = NEVER
  /** When its time is over, in the time of `performance.now()`. */
  endsAt = Number.POSITIVE_INFINITY
  /** The connection that it was last sent over. */
  over: Connection | undefined
  /** Called when it is called off. */
  onCancel: (() => void) | undefined
  #sent: Sent | undefined

  /** For a caller that had gone before it could be sent. */
  static neverMade(): Attempt {
    const attempt = new Attempt()
    attempt.isCancelled = true
    attempt.reply = Promise.resolve({ kind: 'cancelled' })
    return attempt
  }

  /** Whether it is on its way to the server, or was. */
  get isSent(): boolean {
    return this.#sent !== undefined
  }

  /** What it was sent as is lost; it counts as not sent until it is sent again. */
  startOver(): void {
    this.#sent = undefined
  }

  sendOver(connection: Connection, request: UpstreamRequest): Promise<Reply> {
    this.over = connection
    this.#sent = connection.send(request)
    return this.#sent.reply
  }

  /** Calls back as soon as the server is not at it any more, as far as that can be known. */
  whenDone(letGo: () => void): void {
    if (this.#sent === undefined) letGo()
    else this.#sent.whenDone(letGo)
  }

  cancel(reason?: string): void {
    this.stopWaiting()
    this.#sent?.cancel(reason)
    this.onCancel?.()
  }
}
