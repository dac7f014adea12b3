import { isJsonObject, type Json, type Request, readMessage } from './messages.ts'
import { META, MODERN_VERSION, speaksLegacy } from './modern.ts'

const MEMBERS: ReadonlySet<string> = new Set(['jsonrpc', 'id', 'method', 'params'])

/**
 * Reads a complete modern request. Returns undefined for anything else, which the SDK's classifier then handles or
 * reports.
 */
export function readModernRequest(body: unknown, versionHeader: string | undefined): Request | undefined {
  if (versionHeader !== MODERN_VERSION || !isJsonObject(body)) return undefined
  // Parsers disagree about messages that have unknown members, or that are both a request and a response.
  for (const key in body) if (!MEMBERS.has(key)) return undefined
  const meta = isJsonObject(body.params) ? body.params._meta : undefined
  if (!isJsonObject(meta) || meta[META.protocolVersion] !== MODERN_VERSION) return undefined
  if (!isJsonObject(meta[META.clientCapabilities]) || !isClientInfo(meta[META.clientInfo])) return undefined
  if (!isProgressToken(meta.progressToken)) return undefined
  const message = readMessage(body)
  return message !== undefined && 'method' in message && 'id' in message ? message : undefined
}

/** Whether a value is a valid progress token. A missing token is valid. */
function isProgressToken(value: unknown): boolean {
  return value === undefined || typeof value === 'string' || Number.isSafeInteger(value)
}

function isClientInfo(value: unknown): boolean {
  return (
    value === undefined ||
    (isJsonObject(value) && typeof value.name === 'string' && typeof value.version === 'string')
  )
}

/**
 * Reads one request of a legacy session. Returns undefined for anything else, which the SDK's classifier then handles.
 */
export function readLegacyRequest(body: unknown, versionHeader: string | undefined): Request | undefined {
  if (!isJsonObject(body) || (versionHeader !== undefined && !speaksLegacy(versionHeader))) return undefined
  if (!hasKnownMembers(body) || body.method === 'initialize') return undefined
  const { params } = body
  if (params !== undefined && !(isJsonObject(params) && isPlainMeta(params._meta))) return undefined
  const message = readMessage(body)
  return message !== undefined && 'method' in message && 'id' in message ? message : undefined
}

/** Whether a request has only known members. The SDK refuses requests with any others. */
function hasKnownMembers(body: Json): boolean {
  for (const key in body)
    if (key !== 'jsonrpc' && key !== 'id' && key !== 'method' && key !== 'params') return false
  return true
}

function isPlainMeta(meta: unknown): boolean {
  if (meta === undefined) return true
  return isJsonObject(meta) && !(META.protocolVersion in meta) && isProgressToken(meta.progressToken)
}
