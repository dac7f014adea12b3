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
  /** The latest deadline, however much progress is reported. */
  latest: number
  /** Limits the server's messages on this call's stream. Undefined if there were none, or without a stream. */
  talk: CallTalk | undefined
  /** The number of the server's unanswered questions in this call. */
  questions: number
  /** The time of the first of these questions. */
  askedAt: number
  /** What the caller has already received during this call. Repeating the call cannot take it back. */
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

  /** Calls back when the server is done with a cancelled request, if that can be known; otherwise immediately. */
  whenDone(onDone: () => void): void {
    this.#connection.whenDone(this.#id, onDone)
  }
}

/** The session that connections to servers, and their questions, belong to: the legacy session if there is one. */
export function connectionOf({ session, connection = session }: CallerSession): string {
  return connection
}

/** The owner of a request. Undefined for the gateway's own requests. */
export function ownerOf({ client }: UpstreamRequest): Owner | undefined {
  const caller = client?.caller
  return caller === undefined ? undefined : { principal: caller.principal.id, session: connectionOf(caller) }
}

/** The deadline of a request that is sent now, in the time of `performance.now()`. */
export function deadlineOf({ timeoutMs }: UpstreamRequest): number {
  return timeoutMs > 0 ? performance.now() + timeoutMs : Number.POSITIVE_INFINITY
}

/** A request that reports progress may take this many times its timeout, or this long if that is longer. */
const MOST_TIMES = 10
const LEAST_LONGEST_MS = 10 * 60_000

/** The latest time at which a request may end, however much progress it reports. */
export function latestOf({ timeoutMs }: UpstreamRequest, deadline: number): number {
  return deadline - timeoutMs + Math.max(MOST_TIMES * timeoutMs, LEAST_LONGEST_MS)
}

/** Replaces the caller's progress token by a unique one, because different callers may choose equal tokens. */
export function withToken(params: Json | undefined, token: Id): Json {
  const meta = isJsonObject(params?._meta) ? params._meta : {}
  return { ...params, _meta: { ...meta, progressToken: token } }
}
