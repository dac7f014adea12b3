import { APP_PAGE, UI_EXTENSION } from './apps.ts'
import { isJsonObject, type Json, type Request } from './messages.ts'

/** The stateless revision of MCP. `LEGACY_VERSIONS` has the earlier ones, newest first. */
export const MODERN_VERSION = '2026-07-28'
export const LEGACY_VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] as const

export function speaksLegacy(version: string): boolean {
  return (LEGACY_VERSIONS as readonly string[]).includes(version)
}

const PREFIX = 'io.modelcontextprotocol/'
export const META = {
  protocolVersion: `${PREFIX}protocolVersion`,
  clientCapabilities: `${PREFIX}clientCapabilities`,
  clientInfo: `${PREFIX}clientInfo`,
  logLevel: `${PREFIX}logLevel`,
  serverInfo: `${PREFIX}serverInfo`,
  subscriptionId: `${PREFIX}subscriptionId`,
} as const

/**
 * Matches names in `_meta` that are reserved for the protocol and the gateway. Callers must not be able to instruct
 * servers through them.
 */
export const RESERVED_META = /^io\.(?:modelcontextprotocol|hintgate)\//

/** The severities of log messages, from the lowest to the highest. */
export const LOG_LEVELS: readonly string[] = [
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
]

/**
 * Returns the value if it is a log level, otherwise undefined. The level is forwarded to servers, so it must not be
 * arbitrary text.
 */
export function readLogLevel(level: unknown): string | undefined {
  return LOG_LEVELS.find(known => known === level)
}

const ENVELOPE = new Set<string>([
  META.protocolVersion,
  META.clientCapabilities,
  META.clientInfo,
  META.logLevel,
])

/** The information about the client that every modern request carries. */
export interface Envelope {
  readonly capabilities: Json
  readonly clientInfo?: unknown
  readonly logLevel?: string | undefined
}

export function readEnvelope(params: Json | undefined): Envelope {
  const meta = isJsonObject(params?._meta) ? params._meta : {}
  const capabilities = meta[META.clientCapabilities]
  const logLevel = meta[META.logLevel]
  return {
    capabilities: isJsonObject(capabilities) ? capabilities : {},
    clientInfo: meta[META.clientInfo],
    logLevel: typeof logLevel === 'string' ? logLevel : undefined,
  }
}

/** Returns the parameters without the envelope, as the caller gave them. */
export function withoutEnvelope(params: Json | undefined): Json | undefined {
  if (!isJsonObject(params?._meta) || params._meta[META.protocolVersion] === undefined) return params
  const kept = Object.entries(params._meta).filter(([key]) => !ENVELOPE.has(key))
  const { _meta, ...rest } = params
  return kept.length === 0 ? rest : { ...rest, _meta: Object.fromEntries(kept) }
}

/** Returns the parameters with an envelope. If a modern client sent one, it is kept. */
export function withEnvelope(params: Json | undefined, envelope: Envelope): Json {
  if (isJsonObject(params?._meta) && params._meta[META.protocolVersion] === MODERN_VERSION) return params
  const meta = isJsonObject(params?._meta) ? params._meta : {}
  return {
    ...params,
    _meta: {
      ...meta,
      [META.protocolVersion]: MODERN_VERSION,
      [META.clientCapabilities]: envelope.capabilities,
      ...(envelope.clientInfo === undefined ? {} : { [META.clientInfo]: envelope.clientInfo }),
      ...(envelope.logLevel === undefined ? {} : { [META.logLevel]: envelope.logLevel }),
    },
  }
}

/** For each method, the parameter that the `Mcp-Name` header repeats. */
const NAMED_BY: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
  'tasks/get': 'taskId',
  'tasks/update': 'taskId',
  'tasks/cancel': 'taskId',
}

export function nameInHeader(method: string, params: Json | undefined): string | undefined {
  const key = NAMED_BY[method]
  const value = key === undefined ? undefined : params?.[key]
  return typeof value === 'string' ? value : undefined
}

const PLAIN = /^[\t\x20-\x7e]*$/
const ENCODED = /^=\?base64\?([A-Za-z0-9+/]*={0,2})\?=$/

/**
 * Encodes a value for a header. It stays unchanged if a header can carry it; otherwise it becomes Base64 between
 * special markers.
 */
export function encodeHeader(value: string): string {
  const isPlain = value !== '' && value === value.trim() && PLAIN.test(value) && !ENCODED.test(value)
  return isPlain ? value : `=?base64?${Buffer.from(value, 'utf8').toString('base64')}?=`
}

/**
 * Decodes a value that `encodeHeader` encoded. Returns undefined if the encoding is not canonical, because programs
 * could take two encodings of one name for two names.
 */
export function decodeHeader(value: string): string | undefined {
  const match = ENCODED.exec(value)
  if (match === null) return value
  const bytes = Buffer.from(match[1] ?? '', 'base64')
  const text = bytes.toString('utf8')
  const isCanonical = bytes.toString('base64') === match[1] && Buffer.from(text, 'utf8').equals(bytes)
  return isCanonical ? text : undefined
}

/** Returns the headers that repeat parts of a modern message for proxies. */
export function modernHeaders(method: string, params: Json | undefined): Record<string, string> {
  const headers = { 'mcp-protocol-version': MODERN_VERSION, 'mcp-method': method }
  const name = nameInHeader(method, params)
  return name === undefined ? headers : { ...headers, 'mcp-name': encodeHeader(name) }
}

/**
 * Returns the headers for a legacy message. Before the handshake there are none, because the revision is not known yet.
 */
export function legacyHeaders(protocolVersion: string | undefined): Record<string, string> {
  return protocolVersion === undefined ? {} : { 'mcp-protocol-version': protocolVersion }
}

/** Compares a request's headers with its body. Returns an error message for the client if they differ. */
export function findHeaderMismatch(
  headers: Readonly<Record<string, string | undefined>>,
  { method, params }: Request,
): string | undefined {
  const meta = isJsonObject(params?._meta) ? params._meta : {}
  if (headers['mcp-protocol-version'] !== meta[META.protocolVersion])
    return 'the MCP-Protocol-Version header and the body disagree'
  if (headers['mcp-method'] !== method) return 'the Mcp-Method header and the body disagree'
  const name = nameInHeader(method, params)
  const given = headers['mcp-name']
  return name !== undefined && (given === undefined || decodeHeader(given) !== name)
    ? 'the Mcp-Name header and the body disagree'
    : undefined
}

const CAPABILITIES: ReadonlySet<string> = new Set([
  ...['roots', 'listChanged', 'sampling', 'tools', 'context', 'elicitation', 'form', 'url', 'applyDefaults'],
  ...['tasks', 'list', 'cancel', 'requests', 'create', 'createMessage'],
  ...['extensions', UI_EXTENSION, `${PREFIX}tasks`],
])
const LONG_NAME = 64

/** Whether a member says that a host renders the pages of apps, and nothing else. */
function isPages(key: string, part: unknown): boolean {
  return key === 'mimeTypes' && Array.isArray(part) && part.every(type => type === APP_PAGE)
}

/** Returns a client's capabilities, reduced to known names, so that they cannot carry arbitrary text. */
export function cleanCapabilities(value: unknown): Json {
  if (!isJsonObject(value)) return {}
  const seen = Object.entries(value).flatMap(([key, part]) => {
    if (isPages(key, part)) return [[key, part]]
    if (!CAPABILITIES.has(key) || (typeof part !== 'boolean' && !isJsonObject(part))) return []
    return [[key, isJsonObject(part) ? cleanCapabilities(part) : part]]
  })
  return Object.fromEntries(seen) as Json
}

/** Whether an object contains only known names. */
export function hasOnlyNames(value: unknown): boolean {
  if (typeof value === 'boolean') return true
  if (!isJsonObject(value)) return false
  for (const key in value)
    if (!isPages(key, value[key]) && (!CAPABILITIES.has(key) || !hasOnlyNames(value[key]))) return false
  return true
}

/** Returns a client's name and version, cut to a maximum length. */
export function cleanClientInfo(
  value: unknown,
): { readonly name: string; readonly version: string } | undefined {
  return isJsonObject(value) ? { name: cut(value.name), version: cut(value.version) } : undefined
}

function cut(text: unknown): string {
  return typeof text === 'string' ? text.slice(0, LONG_NAME) : ''
}

export function hasHeaderOver(longest: number, headers: Readonly<Record<string, string>>): boolean {
  for (const name in headers) if ((headers[name]?.length ?? 0) > longest) return true
  return false
}
