import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { later } from './clean-up.ts'
import { peerFile } from './peers.ts'

export interface AuthorizationServer {
  readonly issuer: string
  readonly client: { readonly id: string; readonly secret: string }
  /** How many tokens were requested. */
  readonly tokenRequests: number
  /** How often its metadata was requested. */
  readonly metadataRequests: number
  /** Refuses tokens from now on. */
  refuseTokens(isRefusing: boolean): void
  /** Signs in and agrees like a person with a browser; returns the address of the redirect. */
  signIn(authorizationUrl: string, who?: string): Promise<string>
  /** A token for a client with a secret. */
  clientCredentials(wish: { scope: string; resource: string }): Promise<string>
}

type Provider = new (
  issuer: string,
  configuration: object,
) => { callback(): (req: unknown, res: unknown) => void }

const CLIENT = { id: 'robot', secret: 'a-secret-for-tests-only-0123456789' }

/** A real authorization server from the npm registry. */
export async function startAuthorizationServer(
  ttl = 600,
  clients: readonly object[] = [],
): Promise<AuthorizationServer> {
  const { default: OidcProvider } = (await import(peerFile('oidc-provider/lib/index.js'))) as {
    default: Provider
  }
  let handle: (req: unknown, res: unknown) => void = () => {}
  let tokenRequests = 0
  let metadataRequests = 0
  let isRefusing = false
  const server = createServer((req, res) => {
    if (req.url === '/token') tokenRequests += 1
    if (req.url?.includes('/.well-known/')) metadataRequests += 1
    if (req.url === '/token' && isRefusing) return void res.writeHead(400).end('{"error":"invalid_grant"}')
    handle(req, res)
  })
  later(() => {
    server.closeAllConnections()
    return new Promise(resolve => server.close(resolve))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const provider = new OidcProvider(issuer, {
    clients: [
      ...clients,
      {
        client_id: CLIENT.id,
        client_secret: CLIENT.secret,
        grant_types: ['client_credentials'],
        redirect_uris: [],
        response_types: [],
      },
    ],
    scopes: ['openid', 'offline_access', 'mcp:read', 'mcp:write'],
    issueRefreshToken: () => true,
    findAccount: (_ctx: unknown, id: string) => ({ accountId: id, claims: () => ({ sub: id }) }),
    features: {
      devInteractions: { enabled: true },
      registration: { enabled: true },
      revocation: { enabled: true },
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: (_ctx: unknown, resource: string) => ({
          scope: 'mcp:read mcp:write',
          audience: resource,
          accessTokenFormat: 'jwt',
          accessTokenTTL: ttl,
          jwt: { sign: { alg: 'RS256' } },
        }),
      },
    },
  })
  handle = provider.callback()
  return {
    issuer,
    client: CLIENT,
    get tokenRequests() {
      return tokenRequests
    },
    get metadataRequests() {
      return metadataRequests
    },
    refuseTokens(refusing) {
      isRefusing = refusing
    },
    signIn: (url, who = 'ada') => new Browser().signIn(url, { issuer, who }),
    async clientCredentials({ scope, resource }) {
      const answer = await fetch(`${issuer}/token`, {
        method: 'POST',
        headers: {
          authorization: `Basic ${Buffer.from(`${CLIENT.id}:${CLIENT.secret}`).toString('base64')}`,
        },
        body: new URLSearchParams({ grant_type: 'client_credentials', scope, resource }),
      })
      const body = (await answer.json()) as { access_token?: string }
      if (body.access_token === undefined) throw new Error(`no token: ${JSON.stringify(body)}`)
      return body.access_token
    },
  }
}

/** The part of a browser that the server's pages need. */
class Browser {
  readonly #cookies = new Map<string, string>()

  async signIn(start: string, { issuer, who }: { issuer: string; who: string }): Promise<string> {
    let answer = await this.#go(start)
    for (let step = 0; step < 20; step++) {
      const next = answer.headers.get('location')
      if (next !== null) {
        const url = new URL(next, issuer)
        if (url.origin !== issuer) return url.href
        answer = await this.#go(url.href)
        continue
      }
      const page = await answer.text()
      const action = /action="([^"]+)"/.exec(page)?.[1]
      const prompt = /name="prompt" value="([^"]+)"/.exec(page)?.[1]
      if (action === undefined || prompt === undefined) throw new Error(`nothing to sign in to: ${page}`)
      const body = new URLSearchParams({ prompt, login: who, password: 'x' })
      answer = await this.#go(new URL(action, issuer).href, { method: 'POST', body })
    }
    throw new Error('it never ends')
  }

  async #go(url: string, init: RequestInit = {}): Promise<Response> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await fetch(url, { ...init, redirect: 'manual', headers: { cookie } })
    for (const line of answer.headers.getSetCookie()) {
      const [name = '', value = ''] = (line.split(';')[0] ?? '').split('=')
      this.#cookies.set(name, value)
    }
    return answer
  }
}
