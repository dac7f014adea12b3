import { isJsonObject, type Json, RPC, type RpcError } from '../protocol/messages.ts'
import type { Ask } from '../upstream/connection/upstream-request.ts'
import type { QuestionResult } from './exchange.ts'

const NEEDED: ReadonlyMap<string, string> = new Map([
  ['elicitation/create', 'elicitation'],
  ['sampling/createMessage', 'sampling'],
  ['roots/list', 'roots'],
])

/** The reason why a client cannot be asked. `capability` is set if the client lacks that capability. */
export interface Unaskable extends RpcError {
  readonly capability?: string
}

/** Returns the reason why a client cannot be asked, or undefined if it can. */
export function explainUnaskable(ask: Ask, capabilities: Json): Unaskable | undefined {
  const needed = NEEDED.get(ask.method)
  // An unknown method is not quoted, because its name is unchecked text from the server.
  if (needed === undefined)
    return { code: RPC.methodNotFound, message: 'clients do not support this kind of question' }
  const offered = capabilities[needed]
  const isUrl = ask.params?.mode === 'url'
  // An empty elicitation capability means that the client supports only forms.
  const isOffered = isUrl ? isJsonObject(offered) && offered.url !== undefined : offered !== undefined
  if (isOffered) return undefined
  return {
    code: RPC.methodNotFound,
    message: `the client does not support ${needed}${isUrl ? ' by URL' : ''}`,
    capability: needed,
  }
}

/**
 * Refuses a question. If this client lacks a capability, the call ends with an error that names the capability. If the
 * question is of a kind that no client supports, the call continues.
 */
export function refuseAsk({ params }: Ask, { capability, ...error }: Unaskable): QuestionResult {
  if (capability === undefined) return { error }
  const feature = capability === 'elicitation' ? { [params?.mode === 'url' ? 'url' : 'form']: {} } : {}
  const data = { requiredCapabilities: { [capability]: feature } }
  return { error, ending: { code: RPC.missingCapability, message: error.message, data } }
}
