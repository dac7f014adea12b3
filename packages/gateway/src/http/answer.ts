import type { ServerResponse } from 'node:http'
import { isLong } from '../admission/ledger.ts'
import { errorResponse, type Id, RPC, type RpcError } from '../protocol/messages.ts'
import { writeJson } from '../protocol/parse-json.ts'

/** Sends a response with a JSON body. */
export function sendJson(
  res: ServerResponse,
  status: number,
  text: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  if (res.headersSent || res.destroyed) return
  const length = Buffer.byteLength(text)
  const list = ['content-type', 'application/json', 'content-length', String(length)]
  for (const name in headers) list.push(name, headers[name] ?? '')
  res.writeHead(status, list)
  // A short body is sent as text, so that headers and body go out in one write. That copies the body twice more, so a
  // long body is sent as bytes.
  if (isLong(length)) res.end(Buffer.from(text))
  else endWith(res, text, length === text.length ? 'latin1' : 'utf8')
}

/**
 * Sends the body with `write` before `end`. Data given to `end` would be followed by an empty chunk, and two chunks
 * cost 50 % more than one.
 */
function endWith(res: ServerResponse, text: string, encoding: BufferEncoding): void {
  const { socket } = res
  // A response that is queued behind another one has no socket yet.
  if (socket === null) return void res.end(text, encoding)
  socket.cork()
  res.write(text, encoding)
  socket.uncork()
  res.end()
}

/** Sends a result that is already encoded, without copying or encoding it again. */
export function sendResult(res: ServerResponse, id: Id, result: Buffer): void {
  if (res.headersSent || res.destroyed) return
  const head = Buffer.from(beforeResult(id))
  const length = head.length + result.length + 1
  res.writeHead(200, ['content-type', 'application/json', 'content-length', String(length)])
  res.write(head)
  res.write(result)
  res.end('}')
}

export interface HttpError {
  readonly status: number
  readonly error: RpcError
  readonly id?: Id | null
  readonly headers?: Readonly<Record<string, string>>
}

export function sendError(res: ServerResponse, { status, error, id = null, headers }: HttpError): void {
  sendJson(res, status, writeJson(errorResponse(id, error)), headers)
}

/** Returns the part of a JSON-RPC response that precedes the result. Only a closing brace follows the result. */
export function beforeResult(id: Id): string {
  return `{"jsonrpc":"2.0","id":${writeJson(id)},"result":`
}

const STATUS: Readonly<Record<number, number>> = {
  [RPC.methodNotFound]: 404,
  [RPC.missingCapability]: 400,
  [RPC.unsupportedVersion]: 400,
  [RPC.headerMismatch]: 400,
}

/** Returns the HTTP status for a JSON-RPC error. */
export function statusOfError(error: RpcError): number {
  return STATUS[error.code] ?? 200
}
