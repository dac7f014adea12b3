import type { Authority } from './refused-token.ts'

export interface HttpTarget {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly authority?: Authority | undefined
}

export interface HttpLimits {
  readonly messageBytes: number
  /** The longest body that a client may send. */
  readonly bodyBytes: number
  /** One for each request that may run at once. */
  readonly connections: number
  /** Additional ones for requests that wait for a person. */
  readonly questionConnections: number
}

/** Headers that the gateway writes itself: a server could read a duplicate differently. */
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
