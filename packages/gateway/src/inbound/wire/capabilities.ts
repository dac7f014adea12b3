import { isJsonObject, type Json, RPC, type RpcError } from '../../protocol/messages.ts'
import type { Ask } from '../../upstream/connection/upstream-request.ts'

const NEEDED: ReadonlyMap<string, string> = new Map([
  ['elicitation/create', 'elicitation'],
  ['sampling/createMessage', 'sampling'],
  ['roots/list', 'roots'],
])

/** Why a client cannot be asked something; `capability` is what it lacks for that, if there is one. */
export interface Unaskable extends RpcError {
  readonly capability?: string
}

/** Undefined when it can. */
export function cannotBeAsked(ask: Ask, capabilities: Json): Unaskable | undefined {
  const needed = NEEDED.get(ask.method)
  // What else a server calls its question is in its own words, which nobody has looked through.
  if (needed === undefined) return { code: RPC.methodNotFound, message: 'clients cannot be asked that' }
  const offered = capabilities[needed]
  const isUrl = ask.params?.mode === 'url'
  // An empty elicitation capability stands for forms alone.
  const isOffered = isUrl ? isJsonObject(offered) && offered.url !== undefined : offered !== undefined
  if (isOffered) return undefined
  return {
    code: RPC.methodNotFound,
    message: `the client does not support ${needed}${isUrl ? ' by URL' : ''}`,
    capability: needed,
  }
}
