import type { Authority } from './refused-token.ts'

export interface HttpTarget {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly authority?: Authority | undefined
}

export interface HttpLimits {
  readonly messageBytes: number
  /** Maximum length of a body that a client may send. */
  readonly bodyBytes: number
  /** Maximum number of connections, one for each request that may run at the same time. */
  readonly connections: number
  /** Number of additional connections for requests that wait for a person. */
  readonly questionConnections: number
}

/**
 * Headers that the gateway writes itself. They must not be configured, because servers could read a duplicate
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
