import { isJsonObject, type Json, RPC, type RpcError } from '../protocol/messages.ts'
import type { Ask } from '../upstream/upstream-request.ts'

const NEEDED: Readonly<Record<string, string>> = {
  'elicitation/create': 'elicitation',
  'sampling/createMessage': 'sampling',
  'roots/list': 'roots',
}

/** Why a client cannot be asked this; undefined when it can. */
export function cannotBeAsked(
  ask: Ask,
  capabilities: Json,
): (RpcError & { capability?: string }) | undefined {
  const needed = NEEDED[ask.method]
  if (needed === undefined)
    return { code: RPC.methodNotFound, message: `clients cannot be asked ${ask.method}` }
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
