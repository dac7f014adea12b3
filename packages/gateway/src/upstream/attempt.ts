import { type FairQueue, Visitor } from '../admission/fair-queue.ts'
import type { Notification } from '../protocol/messages.ts'
import type { Objection, StreamEvent } from './channel/channel.ts'
import type { Connection } from './connection/connection.ts'
import type { Sent } from './connection/pending-calls.ts'
import type { Ask, AskAnswer, Reply, UpstreamRequest } from './connection/upstream-request.ts'

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
export class Attempt extends Visitor {
  reply: Promise<ServerReply> = NEVER
  isRepeated = false
  /** How often it was sent again with an answer of our own. */
  repetitions = 0
  #sent: Sent | undefined

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
    this.giveUp()
    this.#sent?.cancel(reason)
  }
}

/** The request as it is, but for its place: that is others' while a question of the server waits for an answer. */
export function letRest(request: ServerRequest, queue: FairQueue, visitor: Visitor): ServerRequest {
  const { behind } = request
  if (behind?.ask === undefined || behind.caller === undefined) return request
  return { ...request, behind: new Resting(behind, behind.caller, { queue, visitor }) }
}

type Behind = NonNullable<UpstreamRequest['behind']>
type Caller = NonNullable<Behind['caller']>

class Resting implements Behind {
  readonly caller: Caller
  readonly #behind: Behind
  readonly #at: { readonly queue: FairQueue; readonly visitor: Visitor }
  #questions = 0

  constructor(behind: Behind, caller: Caller, at: { readonly queue: FairQueue; readonly visitor: Visitor }) {
    this.#behind = behind
    this.caller = caller
    this.#at = at
  }

  notify(notification: Notification): void {
    this.#behind.notify(notification)
  }

  onStream(event: StreamEvent): void {
    this.#behind.onStream?.(event)
  }

  async ask(ask: Ask): Promise<AskAnswer> {
    const { queue, visitor } = this.#at
    this.#questions += 1
    queue.rest(visitor)
    let answer = NOBODY
    try {
      answer = (await this.#behind.ask?.(ask)) ?? NOBODY
    } finally {
      this.#questions -= 1
      if (this.#questions === 0) await queue.resume(visitor)
    }
    // Whoever was called off while they stood in line again has nothing more to say.
    return 'result' in answer && (visitor.isCancelled || visitor.hasLeft) ? GONE : answer
  }
}

const GONE: AskAnswer = { error: { code: -32603, message: 'nobody waits for the answer any more' } }
const NOBODY: AskAnswer = { error: { code: -32603, message: 'nobody can be asked' } }
