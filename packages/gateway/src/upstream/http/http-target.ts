import type { Authority } from './refused-token.ts'

export interface HttpTarget {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly authority?: Authority | undefined
}

export interface HttpLimits {
  readonly messageBytes: number
  /** Maximum length of a body from a client. */
  readonly bodyBytes: number
  /** Maximum number of connections, one per concurrent request. */
  readonly connections: number
  /** Number of additional connections for requests that wait for a person. */
  readonly questionConnections: number
}

/**
 * Headers that the gateway writes itself. The config must not set them, because a server might read a duplicate
 * differently.
 */
const RESERVED = new Set([
  'accept',
  'connection',
  'content-length',
  'content-type',
  'mcp-session-id',
  'transfer-encoding',
])

type Headers = Readonly<Record<string, string>>

export function withoutReserved(headers: Headers): Headers {
  const named = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const)
  return Object.fromEntries(named.filter(([name]) => !RESERVED.has(name)))
}
