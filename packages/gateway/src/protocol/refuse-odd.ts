import { errorResponse, isJsonObject, type Response, RPC } from './messages.ts'
import { RESERVED_META } from './modern.ts'
import { exactDigits, holdsExactNumbers } from './parse-json.ts'

/** Members that must be strings in every revision of the protocol. */
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
/** The names of objects whose members the protocol defines. */
const KNOWN = ['params', '_meta', 'ref', 'argument'] as const

/**
 * Finds a member that has an exact number where the protocol requires a string, such as `method` or a tool's `name`.
 * Exact numbers are marked strings in memory, so other checks would accept them. Arguments are allowed to contain them.
 */
function findNumberForText(message: unknown): string | undefined {
  if (!isJsonObject(message) || !holdsExactNumbers(message)) return undefined
  for (const key in message)
    if ((TEXTS.has(key) || RESERVED_META.test(key)) && exactDigits(message[key]) !== undefined) return key
  for (const name of KNOWN) {
    const found = findNumberForText(message[name])
    if (found !== undefined) return found
  }
  return undefined
}

/**
 * Returns the error response to a message with a number where the protocol requires a string; undefined for every other
 * message.
 */
export function refuseNumberForText(message: unknown): Response | undefined {
  const field = findNumberForText(message)
  if (field === undefined) return undefined
  const id = isJsonObject(message) ? message.id : undefined
  return errorResponse(typeof id === 'string' || typeof id === 'number' ? id : null, {
    code: RPC.invalidRequest,
    message: `Invalid Request: ${JSON.stringify(field)} must be a string, not a number`,
  })
}

/**
 * Maximum length of request ids and progress tokens. They are limited because every message about the request repeats
 * them.
 */
const LONGEST_NAME = 1024

/**
 * Returns the error response to a message with an overlong id, or with a number where the protocol requires a string;
 * undefined for every other message.
 */
export function refuseOdd(message: unknown): Response | undefined {
  return refuseLongName(message) ?? refuseNumberForText(message)
}

function refuseLongName(message: unknown): Response | undefined {
  if (!isJsonObject(message)) return undefined
  const { id, params } = message
  if (isLong(id)) return tooLong('id', null)
  const meta = isJsonObject(params) ? params._meta : undefined
  const isTokenLong = isJsonObject(meta) && isLong(meta.progressToken)
  return isTokenLong
    ? tooLong('progressToken', typeof id === 'number' || typeof id === 'string' ? id : null)
    : undefined
}

function isLong(name: unknown): boolean {
  return typeof name === 'string' && name.length > LONGEST_NAME
}

function tooLong(field: string, id: string | number | null): Response {
  const message = `Invalid Request: "${field}" must have at most ${LONGEST_NAME} characters`
  return errorResponse(id, { code: RPC.invalidRequest, message })
}
