import type { Line, Visitor } from '../admission/gate.ts'
import type { Objection } from './channel/channel.ts'
import type { Connection } from './connection/connection.ts'
import type { Sent } from './connection/sent.ts'
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
}

export type ServerReply = Reply | { readonly kind: 'overloaded'; readonly why?: string }

/** Until the request has found its way. */
const NEVER: Promise<never> = new Promise(() => {})

/** One request on its way, and how to stop it at each point. */
export class Attempt implements Visitor {
  reply: Promise<ServerReply> = NEVER
  isRepeated = false
  /** How often it was sent again with an answer of our own. */
  repetitions = 0
  isCancelled = false
  #sent: Sent | undefined
  leaveLine: (() => void) | undefined
  line: Line | undefined
  isInside = false
  hasLeft = false

  /** Of whoever had gone before it could be sent. */
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

  sendOver(connection: Connection, request: ServerRequest): Promise<Reply> {
    this.#sent = connection.send(request)
    return this.#sent.reply
  }

  /** Calls back as soon as the server is not at it any more, as far as that can be known. */
  whenDone(letGo: () => void): void {
    if (this.#sent === undefined) letGo()
    else this.#sent.whenDone(letGo)
  }

  cancel(reason?: string): void {
    this.isCancelled = true
    this.leaveLine?.()
    this.#sent?.cancel(reason)
  }
}
