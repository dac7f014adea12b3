import { isJsonObject, type Json, RPC, type RpcError } from './messages.ts'
import { exactDigits, holdsExactNumbers } from './parse-json.ts'

/** Members that are texts in every revision; others may be anything, and pass. */
const TEXTS: ReadonlySet<string> = new Set([
  'method',
  'name',
  'uri',
  'cursor',
  'requestState',
  'level',
  'protocolVersion',
  'type',
  'value',
  'traceparent',
  'tracestate',
  'baggage',
])
/** Names in `_meta` of which none has a number: the protocol's and ours. */
const RESERVED = /^io\.(?:modelcontextprotocol|hintgate)\//
/** Objects of which the protocol knows the members. */
const KNOWN = ['params', '_meta', 'ref', 'argument'] as const

/**
 * Whether a message has a number where the protocol has a text: its `method`, the `name` of a tool, what a session is
 * called. Numbers that are kept exactly are texts in memory, and would pass for one. Arguments may hold any.
 */
export function hasNumberForText(message: unknown): boolean {
  if (Array.isArray(message)) return message.some(hasNumberForText)
  if (!isJsonObject(message) || !holdsExactNumbers(message)) return false
  return hasNumber(message) || KNOWN.some(name => hasNumberForText(message[name]))
}

function hasNumber(object: Json): boolean {
  for (const key in object)
    if ((TEXTS.has(key) || RESERVED.test(key)) && exactDigits(object[key]) !== undefined) return true
  return false
}

export const NUMBER_FOR_TEXT: RpcError = {
  code: RPC.invalidRequest,
  message: 'Invalid Request: a number where a text belongs',
}
