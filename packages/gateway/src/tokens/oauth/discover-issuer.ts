import { HintgateError } from '../../base/errors.ts'
import { fetchPlain } from '../../base/plain-fetch.ts'
import { isSafeUrl } from '../../base/safe-url.ts'
import type { IssuerConfig } from '../../config/schema/oauth-config.ts'

export type IssuerMetadata = Readonly<Record<string, unknown>>

const ANSWER_MS = 5000
/**
 * How long to wait after a failure before asking an issuer again. It is short, but keeps each token from causing a
 * request.
 */
const ASK_AGAIN_MS = 2000

/** Reads an issuer's metadata, as RFC 8414 or OpenID Connect Discovery defines it. */
export async function discoverIssuer(issuer: string): Promise<IssuerMetadata> {
  const { origin, pathname } = new URL(issuer)
  const path = pathname.replace(/\/$/, '')
  const places = [
    `${origin}/.well-known/oauth-authorization-server${path}`,
    `${origin}${path}/.well-known/openid-configuration`,
  ]
  for (const place of places) {
    const metadata = await readMetadata(place)
    if (metadata === undefined) continue
    // Metadata in another issuer's name cannot be trusted, and neither can its keys.
    if (metadata.issuer !== issuer) throw unusable(issuer, `${place} names another issuer`)
    return metadata
  }
  throw unusable(issuer, 'it publishes no metadata at its well-known addresses')
}

export function addressIn(metadata: IssuerMetadata, name: string): string {
  const { [name]: address } = metadata
  if (typeof address === 'string' && isSafeUrl(address)) return address
  throw unusable(String(metadata.issuer), `its metadata has no usable ${name}`)
}

async function readMetadata(place: string): Promise<IssuerMetadata | undefined> {
  const answer = await fetchPlain(place, { redirect: 'error', signal: AbortSignal.timeout(ANSWER_MS) })
  if (!answer.ok) return undefined
  const metadata: unknown = await answer.json()
  return typeof metadata === 'object' && metadata !== null ? { ...metadata } : undefined
}

function unusable(issuer: string, why: string): HintgateError<'issuer_unusable'> {
  return new HintgateError('issuer_unusable', { issuer, why })
}

type Keys = ReturnType<typeof import('jose').createRemoteJWKSet>

/** Minimum time between two requests for unknown keys, so not every made-up token causes a request. */
const COOLDOWN_MS = 5000
const KEYS_KEPT_MS = 10 * 60_000

/**
 * Finds an issuer's keys. They are requested when first needed, cached, and requested again when the issuer rotates
 * them.
 */
export async function findKeys({ issuer, jwks }: Pick<IssuerConfig, 'issuer' | 'jwks'>): Promise<Keys> {
  const { createRemoteJWKSet, customFetch } = await import('jose')
  const url = jwks ?? addressIn(await discoverIssuer(issuer), 'jwks_uri')
  return createRemoteJWKSet(new URL(url), {
    timeoutDuration: ANSWER_MS,
    cooldownDuration: COOLDOWN_MS,
    cacheMaxAge: KEYS_KEPT_MS,
    [customFetch]: createPacedFetch(issuer),
  })
}

/**
 * Limits requests after a failure. While the library has keys, it limits requests itself, so a request that comes early
 * must follow a failure.
 */
function createPacedFetch(issuer: string): (url: string, init: RequestInit) => Promise<Response> {
  let askedAt = Number.NEGATIVE_INFINITY
  return async (url, init) => {
    if (performance.now() - askedAt < ASK_AGAIN_MS)
      throw new HintgateError('issuer_unusable', {
        issuer,
        why: 'its keys could not be read a moment ago, so they were not requested again',
      })
    try {
      return await fetchPlain(url, init)
    } finally {
      askedAt = performance.now()
    }
  }
}

const KEPT_MS = 5 * 60_000

interface CachedMetadata {
  readonly metadata: Promise<IssuerMetadata>
  until: number
}

/**
 * Caches what discovery found about each issuer for some minutes. Anyone can start a sign-in, and that must not let
 * them make the gateway flood a third party with requests. After a failure, the issuer is asked again soon.
 */
export function rememberIssuers(now: () => number, discover = discoverIssuer): typeof discoverIssuer {
  const known = new Map<string, CachedMetadata>()
  return issuer => {
    const before = known.get(issuer)
    if (before !== undefined && before.until > now()) return before.metadata
    const asked = { metadata: discover(issuer), until: now() + KEPT_MS }
    known.set(issuer, asked)
    asked.metadata.catch(() => {
      asked.until = now() + ASK_AGAIN_MS
    })
    return asked.metadata
  }
}
