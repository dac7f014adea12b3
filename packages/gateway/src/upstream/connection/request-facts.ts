import { type Id, isJsonObject, type Json } from '../../protocol/messages.ts'
import type { Owner } from './callers.ts'
import { connectionOf, type UpstreamRequest } from './upstream-request.ts'

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
