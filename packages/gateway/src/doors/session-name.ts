import { META_SESSION } from '@hintgate/metadata'
import { isJsonObject, type Json } from '../protocol/messages.ts'
import type { Principal } from '../tokens/scope.ts'

const MAX_LENGTH = 128

/** A session is what the caller names, else the caller's credential itself. Nobody can name another's. */
export function sessionOf(params: Json | undefined, principal: Principal): string {
  const meta = params?._meta
  const named = isJsonObject(meta) ? meta[META_SESSION] : undefined
  const isNamed = typeof named === 'string' && named !== '' && named.length <= MAX_LENGTH
  return isNamed ? `${principal.id}/${named}` : principal.id
}
