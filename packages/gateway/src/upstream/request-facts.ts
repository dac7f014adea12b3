import { type Id, isJsonObject, type Json } from '../protocol/messages.ts'
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

/** Tokens of different callers may be the same; towards the server each request has its own. */
export function withToken(params: Json | undefined, token: Id): Json {
  const meta = isJsonObject(params?._meta) ? params._meta : {}
  return { ...params, _meta: { ...meta, progressToken: token } }
}
