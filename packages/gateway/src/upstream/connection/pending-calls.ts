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
  /** The deadline, on the clock of `performance.now()`. */
  deadline: number
  /** The latest time to which progress can extend the deadline. */
  latest: number
  /**
   * Limits the messages that the server sends on this call's stream. Undefined if there is no stream, or no message so
   * far.
   */
  talk: CallTalk | undefined
  /** Number of the server's questions in this call that are not answered yet. */
  questions: number
  /** The time at which the first of the open questions was asked. */
  askedAt: number
  /**
   * The kind of message that the caller has already received during this call. Since a retry cannot take it back, the
   * call might no longer be repeatable.
   */
  delivered: Delivered | undefined
}

/** Cancels requests on one connection. */
interface Canceller {
  cancel(id: Id, reason: string | undefined): void
  whenDone(id: Id, onDone: () => void): void
}

/** An open request, which can be cancelled. */
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

  /** Calls back when the server stops working on a cancelled request, or immediately if that cannot be known. */
  whenDone(onDone: () => void): void {
    this.#connection.whenDone(this.#id, onDone)
  }
}

/**
 * Returns the session that a connection to a server, and that server's questions, belong to: the legacy session if
 * there is one.
 */
export function connectionOf({ session, connection = session }: CallerSession): string {
  return connection
}

/** Returns the owner of a request; undefined for the gateway's own requests. */
export function ownerOf({ client }: UpstreamRequest): Owner | undefined {
  const caller = client?.caller
  return caller === undefined ? undefined : { principal: caller.principal.id, session: connectionOf(caller) }
}

/** Returns the deadline of a request that is sent now, on the clock of `performance.now()`. */
export function deadlineOf({ timeoutMs }: UpstreamRequest): number {
  return timeoutMs > 0 ? performance.now() + timeoutMs : Number.POSITIVE_INFINITY
}

/** A request that reports progress can take this many times its timeout, or `LEAST_LONGEST_MS` if that is longer. */
const MOST_TIMES = 10
const LEAST_LONGEST_MS = 10 * 60_000

/** Returns the latest time at which a request must end, however much progress is reported. */
export function latestOf({ timeoutMs }: UpstreamRequest, deadline: number): number {
  return deadline - timeoutMs + Math.max(MOST_TIMES * timeoutMs, LEAST_LONGEST_MS)
}

/** Replaces the caller's progress token with a unique one, because two callers might choose the same token. */
export function withToken(params: Json | undefined, token: Id): Json {
  const meta = isJsonObject(params?._meta) ? params._meta : {}
  return { ...params, _meta: { ...meta, progressToken: token } }
}
