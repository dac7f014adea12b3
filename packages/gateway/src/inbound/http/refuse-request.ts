import type { ServerResponse } from 'node:http'
import type { Busy } from '../../admission/ledger.ts'
import { sendError } from '../../http/answer.ts'
import { type BodyFault, describeFault } from '../../http/read-body.ts'
import { RPC } from '../../protocol/messages.ts'

/** Refuses the whole request with an HTTP error. */
export function refuse(
  res: ServerResponse,
  status: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  sendError(res, { status, error: { code: RPC.generic, message }, headers })
}

export function refuseBusy(res: ServerResponse, { status, message }: Busy): void {
  refuse(res, status, message, { 'retry-after': '1' })
}

/**
 * Refuses a body that did not arrive in time. The rest of the body might still arrive, so the connection cannot be
 * reused.
 */
export function refuseLate(res: ServerResponse): void {
  refuse(res, 408, 'the rest of the body did not arrive in time; send it faster, or raise limits.bodyTime', {
    connection: 'close',
  })
}

export function refuseNotFound(res: ServerResponse): void {
  refuse(
    res,
    404,
    'this token has no access to any endpoint at this path; use /mcp, /mcp/direct or /mcp/servers/NAME',
  )
}

export function refuseBody(res: ServerResponse, fault: BodyFault | undefined, bodyBytes: number): void {
  refuse(res, 413, describeFault(fault, bodyBytes))
}
