import type { Authority } from './refused-token.ts'

export interface HttpTarget {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Supplies a credential that changes with time. */
  readonly authority?: Authority | undefined
}

export interface HttpLimits {
  readonly messageBytes: number
  /** The longest body that a client may send. */
  readonly bodyBytes: number
  /** One for each request that may run at once. */
  readonly connections: number
  /** More of them, for requests that wait for a person. */
  readonly resting: number
}

/** Headers that the gateway writes itself: a second one could be read differently by the server. */
const RESERVED = new Set([
  'accept',
  'connection',
  'content-length',
  'content-type',
  'mcp-session-id',
  'transfer-encoding',
])

type Headers = Readonly<Record<string, string>>

/** The configured headers, without those that the gateway writes itself. */
export function withoutReserved(headers: Headers): Headers {
  const named = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const)
  return Object.fromEntries(named.filter(([name]) => !RESERVED.has(name)))
}
