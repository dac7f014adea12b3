import type { ServerResponse } from 'node:http'
import { RPC } from '../protocol/messages.ts'
import { sendError } from './answer-http.ts'
import type { Busy } from './open-responses.ts'

/** Answers with an error that is about the request as a whole. */
export function refuse(
  res: ServerResponse,
  status: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  sendError(res, { status, error: { code: RPC.generic, message }, headers })
}

export function refuseBusy(
  res: ServerResponse,
  { status, message }: Busy,
  headers: Readonly<Record<string, string>> = {},
): void {
  refuse(res, status, message, { 'retry-after': '1', ...headers })
}

export function refuseNothingHere(res: ServerResponse): void {
  refuse(res, 404, 'there is nothing here for you; see /mcp, /mcp/direct and /mcp/servers/NAME')
}

/** The rest of the body is not read, so the connection cannot be used again. */
export function refuseLarge(res: ServerResponse, bodyBytes: number): void {
  refuse(res, 413, `a body may have ${bodyBytes} bytes; see limits.body`, { connection: 'close' })
}
