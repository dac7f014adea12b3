import { randomBytes, timingSafeEqual } from 'node:crypto'
import { HintgateError } from '../../base/errors.ts'
import { TextSealer } from '../../base/text-sealer.ts'
import type { Config, ServerConfig } from '../../config/config.ts'
import type { OAuthSettings } from '../../config/schema/oauth-config.ts'
import type { SecretStore } from '../../store/store.ts'
import { CredentialBox } from './credential-box.ts'
import { createGuardedFetch } from './guarded-fetch.ts'
import { createLoginProvider, createProvider } from './provider.ts'

interface OAuthDeps {
  readonly secrets: SecretStore
  /** The key from which the gateway derives its secrets. */
  readonly key: Buffer
  /** The address to which the browser returns. */
  readonly redirectUrl: string
  readonly now: () => number
}

/** A server's answer to a request that it rejected for lack of credentials. */
export interface Challenge {
  readonly status: number
  readonly header: string | undefined
}

/** The query parameters with which the browser returns from a sign-in. */
export interface SignInResponse {
  readonly state: string
  readonly code: string
  readonly iss?: string | undefined
}

/**
 * The state that the browser takes to the authorization server and back: the server's name, and a nonce for this
 * sign-in.
 */
interface SignInState {
  readonly server: string
  readonly nonce: string
}

const STATE_PURPOSE = 'sign-in state'
const LOGIN_MS = 10 * 60_000

/** Acts as an OAuth client for one server. */
export class UpstreamOAuth {
  readonly #server: { readonly name: string; readonly url: string; readonly settings: OAuthSettings }
  readonly #deps: OAuthDeps
  readonly #box: CredentialBox
  readonly #fetch: ReturnType<typeof createGuardedFetch>
  #renewing: Promise<boolean> | undefined

  constructor(server: { name: string; url: string; settings: OAuthSettings }, deps: OAuthDeps) {
    this.#server = server
    this.#deps = deps
    const sealer = new TextSealer(deps.key, 'credentials for servers')
    this.#box = new CredentialBox({ secrets: deps.secrets, sealer }, server)
    this.#fetch = createGuardedFetch(server.url)
  }

  /** Advice for a person if there are no better credentials. */
  get remedy(): string {
    return `a person must sign in, with \`hintgate servers login ${this.#server.name}\` or in the console`
  }

  /** The value of the `Authorization` header; undefined if there is no token. */
  get authorization(): string | undefined {
    const token = this.#box.known.tokens?.access_token
    return token === undefined ? undefined : `Bearer ${token}`
  }

  /** Reads the stored credentials. This must finish before the first request. */
  async prepare(): Promise<void> {
    await this.#box.read()
  }

  /** Reads the stored credentials again. Resolves to true if they have changed. */
  async hasNewCredentials(): Promise<boolean> {
    const before = this.authorization
    await this.#box.read()
    return this.authorization !== undefined && this.authorization !== before
  }

  /**
   * Tries to renew a credential that the server rejected. Resolves to true if there is a better one now. However many
   * requests are rejected at once, the token is renewed only once.
   */
  renew(refused: string | undefined, challenge: Challenge): Promise<boolean> {
    this.#renewing ??= this.#renew(refused, challenge).finally(() => {
      this.#renewing = undefined
    })
    return this.#renewing
  }

  /** Starts a sign-in. Returns the address to open in the person's browser. */
  async begin(): Promise<string> {
    const { auth } = await import('@modelcontextprotocol/client')
    await this.#box.read()
    const nonce = randomBytes(32).toString('base64url')
    await this.#box.change({ login: { nonce, expiresAt: this.#deps.now() + LOGIN_MS } })
    let target: URL | undefined
    const provider = createLoginProvider(this.#provided, {
      state: sealState({ server: this.#server.name, nonce }, this.#deps.key),
      onRedirect: url => {
        target = url
      },
    })
    try {
      await auth(provider, { ...this.#request(this.#box.known.wantedScope), forceReauthorization: true })
    } catch (error) {
      throw this.#failed(error)
    }
    if (target === undefined)
      throw this.#failed(new Error('the authorization server did not ask for a sign-in'))
    return target.href
  }

  /**
   * Completes a sign-in. This works once, for a limited time, and only with the state from the start of the sign-in.
   */
  async finish({ state, code, iss }: SignInResponse): Promise<void> {
    const { auth } = await import('@modelcontextprotocol/client')
    const { login } = await this.#box.read()
    const opened = openState(state, this.#deps.key)
    const isGood =
      login !== undefined &&
      opened !== undefined &&
      isSame(opened.nonce, login.nonce) &&
      login.expiresAt > this.#deps.now()
    if (!isGood)
      throw this.#failed(
        new Error(
          'this sign-in did not start at this gateway, has expired, or was already completed; start the sign-in again',
        ),
      )
    const provider = createLoginProvider(this.#provided, { state, onRedirect: () => {} })
    const verifier = login.verifier ?? ''
    const { discovery } = login
    await this.#box.change({ login: undefined })
    try {
      await auth(
        { ...provider, codeVerifier: () => verifier, discoveryState: () => discovery },
        { ...this.#request(undefined), authorizationCode: code, ...(iss === undefined ? {} : { iss }) },
      )
    } catch (error) {
      throw this.#failed(error)
    }
  }

  /** Deletes the credentials. Resolves to false if there were none. */
  forget(): Promise<boolean> {
    return this.#box.clear()
  }

  get #provided() {
    const { settings } = this.#server
    return { box: this.#box, settings, redirectUrl: this.#deps.redirectUrl }
  }

  #request(scope: string | undefined) {
    const wanted = scope ?? this.#server.settings.scope
    const { metadataUrl } = this.#box.known
    return {
      serverUrl: this.#server.url,
      fetchFn: this.#fetch,
      ...(wanted === undefined ? {} : { scope: wanted }),
      ...(metadataUrl === undefined ? {} : { resourceMetadataUrl: new URL(metadataUrl) }),
    }
  }

  async #renew(refused: string | undefined, challenge: Challenge): Promise<boolean> {
    const { auth, computeScopeUnion, extractWWWAuthenticateParams } = await import(
      '@modelcontextprotocol/client'
    )
    await this.#box.read()
    // Another replica, or a person's sign-in, has already renewed the credential.
    if (this.authorization !== undefined && this.authorization !== refused) return true
    const headers = challenge.header === undefined ? {} : { 'www-authenticate': challenge.header }
    const asked = extractWWWAuthenticateParams(new Response(null, { status: 401, headers }))
    const isTooLittle = challenge.status === 403
    if (isTooLittle && asked.error !== 'insufficient_scope') return false
    const metadataUrl = asked.resourceMetadataUrl?.href ?? this.#box.known.metadataUrl
    const wantedScope = computeScopeUnion(
      this.#box.known.wantedScope ?? this.#server.settings.scope,
      asked.scope,
    )
    const { known } = this.#box
    if (wantedScope !== known.wantedScope || metadataUrl !== known.metadataUrl)
      await this.#box.change({ wantedScope, metadataUrl })
    try {
      const result = await auth(createProvider(this.#provided), {
        ...this.#request(wantedScope),
        // More scope needs a new sign-in, because a renewed token keeps its old scope.
        forceReauthorization: isTooLittle,
      })
      return result === 'AUTHORIZED'
    } catch (error) {
      throw this.#failed(error)
    }
  }

  #failed(error: unknown): HintgateError<'server_sign_in_failed'> {
    const why = error instanceof Error ? error.message : String(error)
    return new HintgateError('server_sign_in_failed', { server: this.#server.name, why }, { cause: error })
  }
}

function isSame(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))
}

function sealState(state: SignInState, key: Buffer): string {
  return new TextSealer(key, STATE_PURPOSE).seal(JSON.stringify(state))
}

/** Opens a sealed state. Returns undefined if this gateway did not seal it. */
export function openState(sealed: string, key: Buffer): SignInState | undefined {
  const text = new TextSealer(key, STATE_PURPOSE).open(sealed)
  return text === undefined ? undefined : (JSON.parse(text) as SignInState)
}

/** The path to which the browser returns after a sign-in. */
export const CALLBACK_PATH = '/oauth/callback'

interface OAuthContext {
  readonly config: Config
  readonly secrets: SecretStore
  readonly key: Buffer
}

/** Creates the OAuth client for a server if its config asks for one. */
export function createUpstreamOAuth(
  { name, transport }: ServerConfig,
  { config, secrets, key }: OAuthContext,
): UpstreamOAuth | undefined {
  if (transport.kind !== 'http' || transport.oauth === undefined) return undefined
  const redirectUrl = `${config.oauth?.resource ?? addressOf(config)}${CALLBACK_PATH}`
  return new UpstreamOAuth(
    { name, url: transport.url, settings: transport.oauth },
    { secrets, key, redirectUrl, now: Date.now },
  )
}

function addressOf({ listen: { host, port }, tls }: Config): string {
  return `${tls === undefined ? 'http' : 'https'}://${host.includes(':') ? `[${host}]` : host}:${port}`
}
