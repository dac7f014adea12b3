import { isJsonObject } from '../../protocol/messages.ts'
import { createGuardedFetch } from '../oauth/guarded-fetch.ts'
import type { ApiAuth } from './api-target.ts'

type Settings = Extract<ApiAuth, { kind: 'clientCredentials' }>

/** A token is renewed this long before it expires, so that no request arrives with an expired one. */
const EARLY_MS = 10_000

interface Token {
  readonly authorization: string
  readonly expiresAt: number
}

/**
 * The tokens that an API's authorization server issues to the gateway (RFC 6749, section 4.4). However many calls need
 * a new one, it is requested only once.
 */
export class ClientCredentials {
  readonly #settings: Settings
  readonly #now: () => number
  readonly #fetch: ReturnType<typeof createGuardedFetch>
  #token: Token | undefined
  #asking: Promise<void> | undefined
  #endpoint: string | undefined

  constructor(settings: Settings, now: () => number) {
    this.#settings = settings
    this.#now = now
    this.#endpoint = settings.tokenUrl
    this.#fetch = createGuardedFetch(settings.tokenUrl ?? settings.issuer ?? '')
  }

  readonly remedy = 'an operator must correct "auth.clientCredentials" in the config'

  get authorization(): string | undefined {
    return this.#token?.authorization
  }

  /** Makes sure that there is a token that has not expired. */
  async prepare(): Promise<void> {
    if (this.#token === undefined || this.#token.expiresAt <= this.#now()) await this.#askOnce()
  }

  /** Replaces a token that the API rejected. Resolves to true if there is another one now. */
  async renew(refused: string | undefined): Promise<boolean> {
    if (this.authorization !== undefined && this.authorization !== refused) return true
    await this.#askOnce()
    return this.authorization !== refused
  }

  #askOnce(): Promise<void> {
    this.#asking ??= this.#ask().finally(() => {
      this.#asking = undefined
    })
    return this.#asking
  }

  async #ask(): Promise<void> {
    const { clientId, clientSecret, scope } = this.#settings
    this.#endpoint ??= await this.#discover()
    const basic = [clientId, clientSecret].map(part => encodeURIComponent(part)).join(':')
    const response = await this.#fetch(this.#endpoint, {
      method: 'POST',
      headers: {
        authorization: `Basic ${Buffer.from(basic).toString('base64')}`,
        'content-type': 'application/x-www-form-urlencoded',
        accept: 'application/json',
      },
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        ...(scope === undefined ? {} : { scope }),
      }).toString(),
    })
    const said: unknown = await response.json().catch(() => undefined)
    const { access_token: token, expires_in: seconds, error } = isJsonObject(said) ? said : {}
    if (!response.ok || typeof token !== 'string' || !/^[\x21-\x7e]{1,8000}$/.test(token)) {
      const why = typeof error === 'string' ? ` (${error.slice(0, 60)})` : ''
      throw new Error(`the authorization server gave no token: HTTP ${response.status}${why}; ${this.remedy}`)
    }
    const lifetime = typeof seconds === 'number' && seconds > 0 ? seconds * 1000 : Number.POSITIVE_INFINITY
    this.#token = {
      authorization: `Bearer ${token}`,
      expiresAt: this.#now() + Math.max(lifetime - EARLY_MS, lifetime / 2),
    }
  }

  /** Asks the issuer for the address at which it issues tokens (RFC 8414). */
  async #discover(): Promise<string> {
    const { discoverAuthorizationServerMetadata } = await import('@modelcontextprotocol/client')
    const { issuer = '' } = this.#settings
    const found = await discoverAuthorizationServerMetadata(issuer, { fetchFn: this.#fetch })
    const endpoint = found?.token_endpoint
    if (typeof endpoint !== 'string')
      throw new Error(`${issuer} does not say where it issues tokens; add "tokenUrl" in place of "issuer"`)
    return endpoint
  }
}
