import type { CallTalk } from '../../admission/talk.ts'
import { type Id, isJsonObject, type Json } from '../../protocol/messages.ts'
import type { RequestStream } from '../channel/channel.ts'
import type { Owner } from './callers.ts'
import type { CallerSession, Delivered, Reply, UpstreamRequest } from './upstream-request.ts'

export interface PendingCall {
  readonly request: UpstreamRequest
  readonly resolve: (reply: Reply) => void
  readonly progressToken: unknown
  stream: RequestStream | undefined
  /** In the time of `performance.now()`. */
  deadline: number
  /** The limit that reports of progress cannot extend. */
  latest: number
  /** How much the server sends on the stream of this call; undefined if it sent nothing, or without a stream. */
  talk: CallTalk | undefined
  /** Unanswered questions of the server in this call. */
  questions: number
  /** When the first of them came. */
  askedAt: number
  /** What the caller already received of this call: repeating the call cannot take that back. */
  delivered: Delivered | undefined
}

/** Cancels requests of one connection. */
interface Canceller {
  cancel(id: Id, reason: string | undefined): void
  whenDone(id: Id, onDone: () => void): void
}

/** An open request that can be cancelled. */
export class SentRequest {
  readonly reply: Promise<Reply>
  readonly #connection: Canceller
  readonly #id: Id

  constructor(connection: Canceller, id: Id, reply: Promise<Reply>) {
    this.#connection = connection
    this.#id = id
    this.reply = reply
  }

  cancel(reason?: string): void {
    this.#connection.cancel(this.#id, reason)
  }

  /** Calls back as soon as the server is done with it, if that can be known; at once unless it was cancelled. */
  whenDone(onDone: () => void): void {
    this.#connection.whenDone(this.#id, onDone)
  }
}

/** The session id that servers and their questions belong to. */
export function connectionOf({ session, connection = session }: CallerSession): string {
  return connection
}

/** Undefined for requests of the gateway itself. */
export function ownerOf({ client }: UpstreamRequest): Owner | undefined {
  const caller = client?.caller
  return caller === undefined ? undefined : { principal: caller.principal.id, session: connectionOf(caller) }
}

/** Counted from now, in the time of `performance.now()`. */
export function deadlineOf({ timeoutMs }: UpstreamRequest): number {
  return timeoutMs > 0 ? performance.now() + timeoutMs : Number.POSITIVE_INFINITY
}

/** A request that reports progress may take this many times its timeout, and at least this long. */
const MOST_TIMES = 10
const LEAST_LONGEST_MS = 10 * 60_000

/** The latest end of a request, however much progress it reports. */
export function latestOf({ timeoutMs }: UpstreamRequest, deadline: number): number {
  return deadline - timeoutMs + Math.max(MOST_TIMES * timeoutMs, LEAST_LONGEST_MS)
}

/** Tokens of different callers may be equal; towards the server each request has its own. */
export function withToken(params: Json | undefined, token: Id): Json {
  const meta = isJsonObject(params?._meta) ? params._meta : {}
  return { ...params, _meta: { ...meta, progressToken: token } }
}
