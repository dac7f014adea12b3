import type { IncomingMessage } from 'node:http'
import { isJsonObject } from '../protocol/messages.ts'
import { isPassedOn } from './pass-on.ts'
import type { Owner, Stamps } from './stamps.ts'

interface Arrived {
  readonly req: IncomingMessage
  readonly headers: { readonly 'mcp-session-id'?: string | undefined }
}

/** The other replica that has the session or the parked call that a request is about. */
export function findOwner({ req, headers }: Arrived, body: unknown, stamps: Stamps): Owner | undefined {
  const name = headers['mcp-session-id'] ?? readState(body)
  if (name === undefined) return undefined
  const owner = stamps.elsewhere(name)
  return owner === undefined || isPassedOn(req.headers) ? undefined : owner
}

function readState(body: unknown): string | undefined {
  if (!isJsonObject(body) || !isJsonObject(body.params)) return undefined
  const { requestState } = body.params
  return typeof requestState === 'string' ? requestState : undefined
}
