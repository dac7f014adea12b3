import { isJsonObject, type Json } from './json.ts'
import { isText, writeJson } from './parse-json.ts'

export { isJsonObject, type Json } from './json.ts'

/** Types for JSON-RPC as MCP uses it. Bodies stay untyped, so that unknown members pass through unchanged. */
export type Id = string | number

export interface Request {
  readonly jsonrpc: '2.0'
  readonly id: Id
  readonly method: string
  readonly params?: Json
}

export interface Notification {
  readonly jsonrpc: '2.0'
  readonly method: string
  readonly params?: Json
}

export interface RpcError {
  readonly code: number
  readonly message: string
  readonly data?: unknown
}

export interface Response {
  readonly jsonrpc: '2.0'
  readonly id: Id | null
  readonly result?: Json
  readonly error?: RpcError
}

export type Message = Request | Notification | Response

export const RPC = {
  parse: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  headerMismatch: -32020,
  missingCapability: -32021,
  unsupportedVersion: -32022,
  sessionNotFound: -32001,
  generic: -32000,
} as const

/** The error that a client gets after an internal error. It contains no details. */
export const INTERNAL_ERROR: RpcError = {
  code: RPC.internal,
  message: "an internal error occurred; see the gateway's log for details",
}

function isId(value: unknown): value is Id {
  return typeof value === 'string' || (typeof value === 'number' && Number.isInteger(value))
}

/** Classifies a parsed value. Returns undefined if it is not a JSON-RPC message. */
export function readMessage(value: unknown): Message | undefined {
  if (!isJsonObject(value) || value.jsonrpc !== '2.0') return undefined
  const { id, method, params } = value
  if (isText(method)) {
    if (params !== undefined && !isJsonObject(params)) return undefined
    return id === undefined || isId(id) ? (value as unknown as Request | Notification) : undefined
  }
  if (!isId(id) && id !== null) return undefined
  if (value.error !== undefined) return readFailure(value)
  return isJsonObject(value.result) ? (value as unknown as Response) : undefined
}

/**
 * Reads a response with an error. Errors that do not conform to JSON-RPC are repaired, so that later code can rely on
 * their shape.
 */
function readFailure({ error, ...response }: Json): Response | undefined {
  // Some servers send `error: null` for success.
  if (error === null && isJsonObject(response.result)) return response as unknown as Response
  if (!isJsonObject(error)) return undefined
  const { result: _result, ...rest } = response
  return { ...rest, error: readError(error) } as unknown as Response
}

function readError(error: Json): RpcError {
  const { code, message } = error
  const isCode = typeof code === 'number' && Number.isSafeInteger(code)
  if (isCode && isText(message)) return error as unknown as RpcError
  return {
    ...error,
    code: isCode ? code : RPC.internal,
    message: isText(message) ? message : message === undefined ? NO_REASON : writeJson(message),
  }
}

const NO_REASON = 'the server gave no reason'

export function isRequest(message: Message): message is Request {
  return 'method' in message && 'id' in message && message.id !== undefined
}

export function isNotification(message: Message): message is Notification {
  return 'method' in message && !('id' in message && message.id !== undefined)
}

export function errorResponse(id: Id | null, error: RpcError): Response {
  return { jsonrpc: '2.0', id, error }
}
