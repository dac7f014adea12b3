import type { ServerResponse } from 'node:http'
import { errorResponse, type Id, type RpcError } from '../protocol/messages.ts'
import { writeJson } from '../protocol/parse-json.ts'
import { isLong } from './unread.ts'
import { beforeResult } from './write-answer.ts'

/** Answers with one JSON body. */
export function sendJson(
  res: ServerResponse,
  status: number,
  text: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  if (res.headersSent || res.destroyed) return
  // As text, headers and body leave in one write. Long ones would be copied for that, and copied again to be sent.
  const body = isLong(text.length) ? Buffer.from(text) : text
  const length = typeof body === 'string' ? Buffer.byteLength(body) : body.length
  const list = ['content-type', 'application/json', 'content-length', String(length)]
  for (const name in headers) list.push(name, headers[name] ?? '')
  res.writeHead(status, list)
  res.end(body)
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
