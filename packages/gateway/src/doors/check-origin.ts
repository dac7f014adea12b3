import type { IncomingMessage } from 'node:http'

export interface AllowedOrigins {
  /** Host names, lower case, without ports. */
  readonly hosts: ReadonlySet<string>
  /** Whole origins, as browsers send them. */
  readonly origins: ReadonlySet<string>
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

const ONCE = [
  'host',
  'origin',
  'authorization',
  'content-type',
  'mcp-session-id',
  'mcp-protocol-version',
  'mcp-method',
  'mcp-name',
]

/** Says what is wrong with where a request claims to come from and go to; undefined when nothing is. */
export function checkOrigin(req: IncomingMessage, allowed: AllowedOrigins): string | undefined {
  const twice = findRepeated(req.rawHeaders)
  if (twice !== undefined) return `the header ${twice} may be there only once`
  const host = hostname(req.headers.host)
  if (host === undefined || !allowed.hosts.has(host))
    return 'this gateway does not answer under that host name; see allowedHosts'
  const { origin } = req.headers
  if (origin === undefined) return undefined
  return isOwnOrigin(origin, allowed)
    ? undefined
    : 'pages of that origin may not call this gateway; see allowedOrigins'
}

/** The bit of a header by its name as it was spelt; names are remembered, because clients spell them alike. */
const bits = new Map<string, number>()

function bitOf(name: string): number {
  const known = bits.get(name)
  if (known !== undefined) return known
  const bit = ONCE.indexOf(name.toLowerCase()) < 0 ? 0 : 1 << ONCE.indexOf(name.toLowerCase())
  if (bits.size < 1000) bits.set(name, bit)
  return bit
}

/** Two of one header mean two readings of one request. */
function findRepeated(rawHeaders: readonly string[]): string | undefined {
  let seen = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] ?? ''
    const bit = bitOf(name)
    if ((seen & bit) !== 0) return name.toLowerCase()
    seen |= bit
  }
  return undefined
}

function isOwnOrigin(origin: string, allowed: AllowedOrigins): boolean {
  if (allowed.origins.has(origin.toLowerCase())) return true
  if (!URL.canParse(origin)) return false
  const { protocol, hostname: host } = new URL(origin)
  return (protocol === 'http:' || protocol === 'https:') && allowed.hosts.has(host.toLowerCase())
}

function hostname(host: string | undefined): string | undefined {
  const match = /^(\[[0-9a-f:.]+\]|[a-z0-9.-]+)(?::\d{1,5})?$/i.exec(host ?? '')
  return match?.[1]?.toLowerCase()
}
