import { createHash, randomBytes } from 'node:crypto'
import { fetchPlain } from '../../base/plain-fetch.ts'
import { TextSealer } from '../../base/text-sealer.ts'
import type { ConsoleClient } from '../../config/schema/oauth-config.ts'
import type { Role } from '../../scope/role.ts'
import type { Vouched } from '../../scope/scope.ts'
import { addressIn, discoverIssuer, findKeys } from './discover-issuer.ts'
import { mapPerson, vouch } from './map-claims.ts'

/** The values that the browser keeps between the start and the end of a sign-in. */
interface SignInStart {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
  readonly expiresAt: number
}

/** The answer with which a browser returns from an issuer. Only the issuer can tell whether the answer is valid. */
export interface Comeback extends SignInStart {
  readonly code: string
}

export interface Identified {
  readonly person: string
  readonly role: Role
  readonly vouched: Vouched
}

interface OidcFlowDeps {
  readonly key: Buffer
  readonly redirectUrl: string
  readonly now: () => number
  readonly discover?: typeof discoverIssuer
}

const SIGN_IN_MS = 10 * 60_000
const ANSWER_MS = 10_000

/**
 * Signs people in with OpenID Connect: authorization code with PKCE, and a state that only the browser that started the
 * sign-in can return.
 */
export class OidcFlow {
  readonly #client: ConsoleClient
  readonly #sealer: TextSealer
  readonly #redirectUrl: string
  readonly #now: () => number
  readonly #discover: typeof discoverIssuer

  constructor(client: ConsoleClient, deps: OidcFlowDeps) {
    this.#client = client
    this.#sealer = new TextSealer(deps.key, 'console sign-in')
    this.#redirectUrl = deps.redirectUrl
    this.#now = deps.now
    this.#discover = deps.discover ?? discoverIssuer
  }

  /**
   * Starts a sign-in. Returns the URL to send the browser to, and the text that the browser must keep until it returns.
   */
  async begin(): Promise<{ readonly url: string; readonly kept: string }> {
    const { issuer, clientId, scope } = this.#client
    const metadata = await this.#discover(issuer.issuer)
    const [state, nonce, verifier] = [randomText(), randomText(), randomText()]
    const url = new URL(addressIn(metadata, 'authorization_endpoint'))
    const query = {
      response_type: 'code',
      client_id: clientId,
      redirect_uri: this.#redirectUrl,
      scope,
      state,
      nonce,
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
    }
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
    const begun: SignInStart = { state, nonce, verifier, expiresAt: this.#now() + SIGN_IN_MS }
    return { url: url.href, kept: this.#sealer.seal(JSON.stringify(begun)) }
  }

  /**
   * Reads the answer with which a browser returns. Undefined if a different browser started this sign-in, or if the
   * sign-in has expired.
   */
  readBack(query: URLSearchParams, kept: string): Comeback | undefined {
    const text = this.#sealer.open(kept)
    const begun = text === undefined ? undefined : (JSON.parse(text) as SignInStart)
    const code = query.get('code')
    if (begun === undefined || code === null) return undefined
    if (begun.state !== query.get('state') || begun.expiresAt <= this.#now()) return undefined
    const { issuer } = this.#client
    const iss = query.get('iss')
    return iss !== null && iss !== issuer.issuer ? undefined : { ...begun, code }
  }

  /** Asks the issuer who the person is. Undefined if the config grants this person nothing. */
  async identify({ code, verifier, nonce }: Comeback): Promise<Identified | undefined> {
    const idToken = await this.#redeem(code, verifier)
    return idToken === undefined ? undefined : this.#readToken(idToken, nonce)
  }

  async #redeem(code: string, verifier: string): Promise<string | undefined> {
    const { issuer, clientId, clientSecret } = this.#client
    const endpoint = addressIn(await this.#discover(issuer.issuer), 'token_endpoint')
    const secret = clientSecret === undefined ? {} : { authorization: basic(clientId, clientSecret) }
    const answer = await fetchPlain(endpoint, {
      method: 'POST',
      redirect: 'error',
      signal: AbortSignal.timeout(ANSWER_MS),
      headers: secret,
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        code,
        code_verifier: verifier,
        redirect_uri: this.#redirectUrl,
        client_id: clientId,
      }),
    })
    if (!answer.ok) return undefined
    const { id_token: token } = (await answer.json()) as { id_token?: unknown }
    return typeof token === 'string' ? token : undefined
  }

  async #readToken(idToken: string, nonce: string): Promise<Identified | undefined> {
    const { jwtVerify } = await import('jose')
    const { issuer, clientId } = this.#client
    const { payload } = await jwtVerify(idToken, await findKeys(issuer), {
      issuer: issuer.issuer,
      audience: clientId,
      algorithms: [...issuer.algorithms],
      clockTolerance: issuer.clockSkewMs / 1000,
      requiredClaims: ['exp', 'nonce'],
    })
    if (payload.nonce !== nonce) return undefined
    const known = mapPerson(payload, issuer)
    return known === undefined ? undefined : { ...known, vouched: vouch(payload, issuer) }
  }
}

function randomText(): string {
  return randomBytes(32).toString('base64url')
}

function basic(id: string, secret: string): string {
  return `Basic ${Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString('base64')}`
}

const MOST = 10_000

/**
 * States that browsers have returned, kept in memory until they expire. Each is valid only once, although the browser
 * still has it. Otherwise, a browser could make the gateway send the issuer any number of requests that contain the
 * gateway's secret.
 */
export class UsedStates {
  readonly #now: () => number
  /** The expiry of each state, earliest first. */
  readonly #used = new Map<string, number>()

  constructor(now: () => number) {
    this.#now = now
  }

  /** Marks a state as used. False if it was used before. */
  use(state: string, until: number): boolean {
    if (this.#used.has(state)) return false
    this.#forget()
    this.#used.set(state, until)
    return true
  }

  #forget(): void {
    const now = this.#now()
    for (const [state, until] of this.#used) {
      if (until > now && this.#used.size < MOST) return
      this.#used.delete(state)
    }
  }
}
