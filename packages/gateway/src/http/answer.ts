import type { ServerResponse } from 'node:http'
import { isLong } from '../admission/ledger.ts'
import { errorResponse, type Id, type RpcError } from '../protocol/messages.ts'
import { writeJson } from '../protocol/parse-json.ts'

/** Answers with one JSON body. */
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
  // As text, headers and body leave in one write. Long ones would be copied for that, and copied again to be sent.
  if (isLong(length)) res.end(Buffer.from(text))
  else endWith(res, text, length === text.length ? 'latin1' : 'utf8')
}

/** What is given to `end` leaves with an empty piece behind it, and two pieces cost half as much again as one. */
function endWith(res: ServerResponse, text: string, encoding: BufferEncoding): void {
  const { socket } = res
  // Who is in line behind another answer has none yet.
  if (socket === null) return void res.end(text, encoding)
  socket.cork()
  res.write(text, encoding)
  socket.uncork()
  res.end()
}

/** Answers with a result that is bytes already, which are neither copied nor written anew. */
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

/** What stands in a response before its result; after it comes one brace. */
export function beforeResult(id: Id): string {
  return `{"jsonrpc":"2.0","id":${writeJson(id)},"result":`
}
