import type { CallTalk } from '../../admission/talk.ts'
import { type Id, isJsonObject, type Json } from '../../protocol/messages.ts'
import type { Carried } from '../channel/channel.ts'
import type { Owner } from './callers.ts'
import type { Connected, Heard, Reply, UpstreamRequest } from './upstream-request.ts'

export interface PendingCall {
  readonly request: UpstreamRequest
  readonly resolve: (reply: Reply) => void
  readonly progressToken: unknown
  carried: Carried | undefined
  /** When it will have taken too long, in the time of `performance.now()`. */
  deadline: number
  /** Where that cannot be moved any further by reports of progress. */
  latest: number
  /** How much is said on its stream, where it has one and anything was. */
  talk: CallTalk | undefined
  /** Questions of the server in this call that nobody has answered yet. */
  questions: number
  /** Since when there are any. */
  askedAt: number
  /** What of this call has reached the caller: it cannot be taken back when the call is repeated. */
  heard: Heard | undefined
}

/** Who can call a request off. */
interface Way {
  callOff(id: Id, reason: string | undefined): void
  whenDone(id: Id, letGo: () => void): void
}

/** A call in progress that can be called off. */
export class Sent {
  readonly reply: Promise<Reply>
  readonly #connection: Way
  readonly #id: Id

  constructor(connection: Way, id: Id, reply: Promise<Reply>) {
    this.#connection = connection
    this.#id = id
    this.reply = reply
  }

  cancel(reason?: string): void {
    this.#connection.callOff(this.#id, reason)
  }

  /** Calls back as soon as the server is done with it, where that can be known: at once, unless it was called off. */
  whenDone(letGo: () => void): void {
    this.#connection.whenDone(this.#id, letGo)
  }
}

/** What servers and their questions are kept apart by. */
export function connectionOf({ session, connection = session }: Connected): string {
  return connection
}

/** Undefined for our own housekeeping. */
export function ownerOf({ behind }: UpstreamRequest): Owner | undefined {
  const caller = behind?.caller
  return caller === undefined ? undefined : { principal: caller.principal.id, session: connectionOf(caller) }
}

/** From now on, in the time of `performance.now()`. */
export function deadlineOf({ timeoutMs }: UpstreamRequest): number {
  return timeoutMs > 0 ? performance.now() + timeoutMs : Number.POSITIVE_INFINITY
}

/** How many times its time a request may take that goes on reporting progress, and what it has of that at least. */
const MOST_TIMES = 10
const LEAST_LONGEST_MS = 10 * 60_000

/** Until when it may take at all, however much progress it reports, by its first deadline. */
export function latestOf({ timeoutMs }: UpstreamRequest, deadline: number): number {
  return deadline - timeoutMs + Math.max(MOST_TIMES * timeoutMs, LEAST_LONGEST_MS)
}

/** Tokens of different callers may be the same; towards the server each request has its own. */
export function withToken(params: Json | undefined, token: Id): Json {
  const meta = isJsonObject(params?._meta) ? params._meta : {}
  return { ...params, _meta: { ...meta, progressToken: token } }
}
