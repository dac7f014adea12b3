import { createHash } from 'node:crypto'
import type { IssuerConfig, OAuthConfig } from '../../config/schema/oauth-config.ts'
import type { Principal } from '../../scope/scope.ts'
import { findKeys } from './discover-issuer.ts'
import { mapClaims } from './map-claims.ts'

/** Verifies access tokens from external issuers. */
export interface Issuers {
  authenticate(token: string): Promise<Principal | Refusal>
  /** Verifies again a token that was accepted before. The principal's credential identifies the token. */
  recheck(credential: string): Promise<Principal | Refusal>
}

/** A token that was accepted. It is kept to be verified again, because its issuer may withdraw the key. */
interface Accepted {
  readonly token: string
  readonly principal: Principal
  readonly verifiedAt: number
}

const JWT = /^[\w-]+\.[\w-]+\.[\w-]+$/
const PREFIX = 'jwt:'
const LONGEST_TOKEN = 16 * 1024
const MOST_KNOWN = 10_000
const ASK_AGAIN_MS = 2000
const TELL_AGAIN_MS = 60_000
/** How long a withdrawn key still works, in addition to the time for which keys are cached. */
export const VERIFY_AGAIN_MS = 60_000

export function isForeign(credential: string): boolean {
  return credential.startsWith(PREFIX)
}

export function looksForeign(token: string): boolean {
  return token.length <= LONGEST_TOKEN && JWT.test(token)
}

/**
 * Verifies tokens from the issuers in the config: signature, issuer, audience, algorithm and times. Problems with an
 * issuer are reported to the operator; the caller learns only that the token is not valid.
 */
export function createIssuers(
  { resource, issuers }: OAuthConfig,
  onError: (error: unknown) => void,
): Issuers {
  const keys = new Map<string, ReturnType<typeof findKeys>>()
  const known = new Map<string, Accepted>()
  const toldAt = new Map<string, number>()

  function keysOf(issuer: IssuerConfig): ReturnType<typeof findKeys> {
    const asked = keys.get(issuer.issuer)
    if (asked !== undefined) return asked
    const asking = findKeys(issuer)
    keys.set(issuer.issuer, asking)
    // The request to the issuer is repeated, but only after a pause, and not for every token that arrives meanwhile.
    asking.catch(() => setTimeout(() => keys.delete(issuer.issuer), ASK_AGAIN_MS).unref())
    return asking
  }

  /** Finds the issuer that a token names. Until its signature is verified, nothing else in the token is trusted. */
  async function findIssuer(token: string): Promise<IssuerConfig | undefined> {
    const { decodeJwt } = await import('jose')
    try {
      const { iss } = decodeJwt(token)
      return issuers.find(({ issuer }) => issuer === iss)
    } catch {
      return undefined
    }
  }

  /** Reports a problem at most once per interval, because a client might keep retrying. */
  function tell(issuer: string, what: 'nameless' | 'away', error: unknown): void {
    const now = Date.now()
    const about = `${what} ${issuer}`
    if (now - (toldAt.get(about) ?? 0) < TELL_AGAIN_MS) return
    toldAt.set(about, now)
    onError(error)
  }

  /** Reports that a token has no usable name, without quoting the name. */
  function tellNameless({ issuer, nameClaim }: IssuerConfig): void {
    const why = `the token's "${nameClaim}" is missing, too long, or contains line breaks or hidden characters`
    tell(issuer, 'nameless', `a token from ${issuer} was rejected: ${why}`)
  }

  async function verify(token: string, issuer: IssuerConfig): Promise<Principal | Refusal> {
    const { jwtVerify } = await import('jose')
    const { payload } = await jwtVerify(token, await keysOf(issuer), {
      issuer: issuer.issuer,
      algorithms: [...issuer.algorithms],
      clockTolerance: issuer.clockSkewMs / 1000,
      requiredClaims: ['exp', 'aud'],
    })
    const audience = findAudience(payload.aud, { resource, audiences: issuer.audiences })
    if (audience === undefined) return { code: 'wrong_audience' }
    const mapped = mapClaims(payload, issuer)
    if (mapped === 'no_name') {
      tellNameless(issuer)
      return { code: 'unknown' }
    }
    if (mapped === 'no_grant') return { code: 'no_grant' }
    return {
      ...mapped,
      credential: credentialOf(token),
      ...(audience.path === '' ? {} : { path: audience.path }),
    }
  }

  function remember(token: string, principal: Principal): void {
    const [oldest] = known.keys()
    if (known.size >= MOST_KNOWN && oldest !== undefined) known.delete(oldest)
    known.set(principal.credential, { token, principal, verifiedAt: performance.now() })
  }

  async function judge(token: string, issuer: IssuerConfig): Promise<Principal | Refusal> {
    try {
      return await verify(token, issuer)
    } catch (error) {
      const code = (error as { code?: unknown }).code
      if (code === 'ERR_JWT_EXPIRED') return { code: 'expired' }
      // Faults in a token are the caller's concern; faults of an issuer are the operator's.
      if (isAboutToken(code)) return { code: 'unknown' }
      tell(issuer.issuer, 'away', error)
      // A token that was accepted before stays valid while its issuer cannot be reached.
      return known.get(credentialOf(token))?.principal ?? { code: 'unknown' }
    }
  }

  async function authenticate(token: string): Promise<Principal | Refusal> {
    const issuer = await findIssuer(token)
    if (issuer === undefined) return { code: 'unknown' }
    const answer = await judge(token, issuer)
    known.delete(credentialOf(token))
    if (!('code' in answer)) remember(token, answer)
    return answer
  }

  return {
    authenticate,
    async recheck(credential) {
      const accepted = known.get(credential)
      if (accepted === undefined) return { code: 'unknown' }
      const { token, principal, verifiedAt } = accepted
      return performance.now() - verifiedAt < VERIFY_AGAIN_MS ? principal : authenticate(token)
    },
  }
}

function credentialOf(token: string): string {
  return `${PREFIX}${createHash('sha256').update(token).digest('hex')}`
}

function isAboutToken(code: unknown): boolean {
  return typeof code === 'string' && /^ERR_(?:JWT|JWS|JOSE_ALG|JWKS_NO_MATCHING)/.test(code)
}

interface OurAudiences {
  readonly resource: string
  readonly audiences: readonly string[]
}

/**
 * Finds out what a token is valid for: the whole gateway, or one of its paths (RFC 8707). A URL on a different host
 * does not match, even if both begin with the same characters.
 */
function findAudience(
  claimed: string | readonly string[] | undefined,
  { resource, audiences }: OurAudiences,
): { readonly path: string } | undefined {
  const all = typeof claimed === 'string' ? [claimed] : (claimed ?? [])
  if (all.some(one => audiences.includes(one) || one === resource || one === `${resource}/`))
    return { path: '' }
  const below = all.find(one => one.startsWith(`${resource}/mcp`) && !/[?#]/.test(one))
  return below === undefined ? undefined : { path: below.slice(resource.length) }
}

export interface Refusal {
  /** `no_grant`: the token is genuine, but the config grants it nothing. */
  readonly code: 'malformed' | 'unknown' | 'revoked' | 'expired' | 'wrong_audience' | 'no_grant'
}
