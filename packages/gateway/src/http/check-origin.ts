import type { KnownHeaders } from './read-headers.ts'

export interface AllowedOrigins {
  /** Host names in lower case, with a port where configured. */
  readonly hosts: ReadonlySet<string>
  /** Complete origins, as browsers send them. */
  readonly origins: ReadonlySet<string>
  /** The last accepted host. The next request usually has the same one, which then needs no further check. */
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

/** Checks Host and Origin. Returns the reason for a refusal; undefined when both are allowed. */
export function checkOrigin(
  { host, origin }: Partial<Pick<KnownHeaders, 'host' | 'origin'>>,
  allowed: AllowedOrigins,
): string | undefined {
  if (host !== undefined && host === allowed.lastHost && origin === undefined) return undefined
  const name = hostname(host)
  const isKnown =
    name !== undefined && (allowed.hosts.has(name) || allowed.hosts.has(`${host}`.toLowerCase()))
  if (!isKnown) return 'the host name of the request is not allowed; add it to allowedHosts'
  if (host !== undefined) allowed.lastHost = host
  if (origin === undefined || isOwnOrigin(origin, allowed)) return undefined
  return 'the origin of the request is not allowed; add it to allowedOrigins'
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
