import { isJsonObject, type Json, type Request, readMessage } from './messages.ts'
import { META, speaksLegacy } from './modern.ts'
import { isProgressToken } from './read-modern.ts'

/**
 * The usual case of the older era, told cheaply as in `read-modern.ts`: one request within a session, in no way modern.
 * Whatever is not plainly that is left to the SDK's classifier.
 */
export function readLegacyRequest(body: unknown, versionHeader: string | undefined): Request | undefined {
  if (!isJsonObject(body) || (versionHeader !== undefined && !speaksLegacy(versionHeader))) return undefined
  if (!hasKnownMembers(body) || body.method === 'initialize') return undefined
  const { params } = body
  if (params !== undefined && !(isJsonObject(params) && isPlainMeta(params._meta))) return undefined
  const message = readMessage(body)
  return message !== undefined && 'method' in message && 'id' in message ? message : undefined
}

/** The SDK knows a request by these, and takes one with more for something else. */
function hasKnownMembers(body: Json): boolean {
  for (const key in body)
    if (key !== 'jsonrpc' && key !== 'id' && key !== 'method' && key !== 'params') return false
  return true
}

function isPlainMeta(meta: unknown): boolean {
  if (meta === undefined) return true
  return isJsonObject(meta) && !(META.protocolVersion in meta) && isProgressToken(meta.progressToken)
}
