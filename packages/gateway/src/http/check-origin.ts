import type { KnownHeaders } from './read-headers.ts'

export interface AllowedOrigins {
  /** The allowed host names in lower case, each with its port if the config gives one. */
  readonly hosts: ReadonlySet<string>
  /** The allowed origins, written in full, as browsers send them. */
  readonly origins: ReadonlySet<string>
  /**
   * The Host header that was accepted last. The next request usually has the same one and then needs no further check.
   */
  lastHost?: string
}

const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]']

export function allowOrigins(config: {
  listen: { host: string }
  allowedHosts: readonly string[]
  allowedOrigins: readonly string[]
}): AllowedOrigins {
  const own = config.listen.host.includes(':') ? `[${config.listen.host}]` : config.listen.host
  return {
    hosts: new Set([...LOOPBACK, own, ...config.allowedHosts].map(host => host.toLowerCase())),
    origins: new Set(config.allowedOrigins.map(origin => origin.toLowerCase())),
  }
}

/** Checks the Host and Origin headers. Returns the reason for a refusal, or undefined if both are allowed. */
export function checkOrigin(
  { host, origin }: Partial<Pick<KnownHeaders, 'host' | 'origin'>>,
  allowed: AllowedOrigins,
): string | undefined {
  if (host !== undefined && host === allowed.lastHost && origin === undefined) return undefined
  const name = hostname(host)
  const isKnown =
    name !== undefined && (allowed.hosts.has(name) || allowed.hosts.has(`${host}`.toLowerCase()))
  if (!isKnown) return "the request's Host header is not allowed; add the host name to allowedHosts"
  if (host !== undefined) allowed.lastHost = host
  if (origin === undefined || isOwnOrigin(origin, allowed)) return undefined
  return "the request's Origin header is not allowed; add the origin to allowedOrigins"
}

function isOwnOrigin(origin: string, allowed: AllowedOrigins): boolean {
  if (allowed.origins.has(origin.toLowerCase())) return true
  if (!URL.canParse(origin)) return false
  const { protocol, hostname: name, host } = new URL(origin)
  const isHost = allowed.hosts.has(name.toLowerCase()) || allowed.hosts.has(host.toLowerCase())
  return (protocol === 'http:' || protocol === 'https:') && isHost
}

function hostname(host: string | undefined): string | undefined {
  const match = /^(\[[0-9a-f:.]+\]|[a-z0-9.-]+)(?::\d{1,5})?$/i.exec(host ?? '')
  return match?.[1]?.toLowerCase()
}
