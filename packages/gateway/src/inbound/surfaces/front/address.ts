import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'

/** What an address of an endpoint with many servers stands for: a server, and the server's own URI. */
export interface Located {
  readonly server: string
  readonly uri: string
}

const SCHEME = 'hintgate://'
const UI_SCHEME = 'ui://'
const UI_PREFIX = `${UI_SCHEME}hintgate/`
const TAG_BYTES = 16

/**
 * Puts the server's name before its URI. The URI itself stays as it is, so that the address can be read back exactly
 * and the expressions in a URI template survive. No server's name contains a slash, so two different resources never
 * share an address.
 *
 * @example
 * writeAddress({ server: 'files', uri: 'file:///notes/{name}' }) // 'hintgate://files/file:///notes/{name}'
 */
export function writeAddress({ server, uri }: Located): string {
  return `${SCHEME}${server}/${uri}`
}

/** Reads an address, even one that the caller wrote itself. It says what the caller wants, not that it is allowed. */
export function readAddress(address: string): Located | undefined {
  if (!address.startsWith(SCHEME)) return undefined
  const end = address.indexOf('/', SCHEME.length)
  if (end <= SCHEME.length || end === address.length - 1) return undefined
  return { server: address.slice(SCHEME.length, end), uri: address.slice(end + 1) }
}

function isUiUri(uri: unknown): uri is string {
  return typeof uri === 'string' && uri.startsWith(UI_SCHEME) && uri.length > UI_SCHEME.length
}

/**
 * Writes and reads the addresses of apps. Hosts render only `ui://` resources, so these addresses keep that scheme, and
 * a tag proves that the gateway wrote them: neither a server nor an agent can make one up.
 */
export class UiAddresses {
  readonly #key: Buffer
  readonly #withApps = new Set<string>()

  constructor(secret: Buffer) {
    this.#key = Buffer.from(hkdfSync('sha256', secret, '', 'hintgate addresses of apps', 32))
  }

  /** Remembers that a server has an app, which hosts can have open from now on. */
  note(server: string): void {
    this.#withApps.add(server)
  }

  /** Whether a server has had an app since the start of the gateway, as far as the gateway knows. */
  hasApps(server: string): boolean {
    return this.#withApps.has(server)
  }

  /** Returns undefined for a URI that is not one of an app. */
  write({ server, uri }: Located): string | undefined {
    if (!isUiUri(uri)) return undefined
    return `${UI_PREFIX}${server}/${this.#tagOf({ server, uri })}/${uri.slice(UI_SCHEME.length)}`
  }

  /** Returns undefined unless the gateway wrote exactly this address. */
  read(address: string): Located | undefined {
    if (!address.startsWith(UI_PREFIX)) return undefined
    const [server = '', tag = '', ...rest] = address.slice(UI_PREFIX.length).split('/')
    const located = { server, uri: `${UI_SCHEME}${rest.join('/')}` }
    if (!isSame(tag, this.#tagOf(located))) return undefined
    this.note(server)
    return located
  }

  #tagOf({ server, uri }: Located): string {
    const tag = createHmac('sha256', this.#key).update(`${server}/${uri}`).digest()
    return tag.subarray(0, TAG_BYTES).toString('base64url')
  }
}

function isSame(a: string, b: string): boolean {
  const [one, other] = [Buffer.from(a), Buffer.from(b)]
  return one.length === other.length && timingSafeEqual(one, other)
}
