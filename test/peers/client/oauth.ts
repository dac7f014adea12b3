// An OAuth client without a person: it follows the authorization redirect itself and keeps what comes back.
import type {
  OAuthClientMetadata,
  OAuthClientProvider,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from '@modelcontextprotocol/client'

/** Credentials that the suite hands over instead of letting the client register. */
export interface Registered {
  client_id: string
  client_secret: string
  issuer?: string
}

export class UnattendedProvider implements OAuthClientProvider {
  readonly redirectUrl = 'http://localhost:8765/callback'
  readonly clientMetadataUrl = 'https://conformance-test.local/client-metadata.json'
  readonly clientMetadata: OAuthClientMetadata = {
    client_name: 'hintgate-conformance-client',
    redirect_uris: [this.redirectUrl],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    application_type: 'native',
  }
  /** What the authorization server sent back, for `transport.finishAuth`. */
  answer: URLSearchParams | undefined
  #clients = new Map<string, StoredOAuthClientInformation>()
  #tokens = new Map<string, StoredOAuthTokens>()
  #latest: StoredOAuthTokens | undefined
  #verifier = ''
  #registered: Registered | undefined

  constructor(registered?: Registered) {
    this.#registered = registered
  }

  clientInformation(ctx?: { issuer?: string }): StoredOAuthClientInformation | undefined {
    if (this.#registered === undefined) return this.#clients.get(ctx?.issuer ?? '')
    const { client_id, client_secret, issuer } = this.#registered
    return { client_id, client_secret, ...(issuer !== undefined && { issuer }) }
  }

  saveClientInformation(information: StoredOAuthClientInformation, ctx?: { issuer?: string }): void {
    this.#clients.set(ctx?.issuer ?? '', information)
  }

  tokens(ctx?: { issuer?: string }): StoredOAuthTokens | undefined {
    return ctx?.issuer === undefined ? this.#latest : this.#tokens.get(ctx.issuer)
  }

  saveTokens(tokens: StoredOAuthTokens, ctx?: { issuer?: string }): void {
    this.#latest = tokens
    this.#tokens.set(ctx?.issuer ?? '', tokens)
  }

  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier
  }

  codeVerifier(): string {
    return this.#verifier
  }

  async redirectToAuthorization(url: URL): Promise<void> {
    const response = await fetch(url, { redirect: 'manual' })
    await response.body?.cancel()
    const location = response.headers.get('location')
    if (location === null) throw new Error(`No redirect from ${url.origin}: HTTP ${response.status}`)
    this.answer = new URL(location, url).searchParams
  }

  invalidateCredentials(scope: 'all' | 'client' | 'tokens' | 'verifier' | 'discovery'): void {
    if (scope === 'all' || scope === 'client') this.#clients.clear()
    if (scope === 'all' || scope === 'tokens') {
      this.#tokens.clear()
      this.#latest = undefined
    }
  }
}
