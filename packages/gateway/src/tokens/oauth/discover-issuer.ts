import { HintgateError } from '../../base/errors.ts'
import { fetchPlain } from '../../base/plain-fetch.ts'
import { isSafeUrl } from '../../base/safe-url.ts'
import type { IssuerConfig } from '../../config/schema/oauth-config.ts'

export type IssuerMetadata = Readonly<Record<string, unknown>>

const ANSWER_MS = 5000
/** An issuer that did not answer, or has no keys for us, is asked again soon, but not for every token either. */
const ASK_AGAIN_MS = 2000

/** What an issuer says of itself: RFC 8414, and what OpenID Connect had before it. */
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
    // Metadata in somebody else's name must not bring its own keys.
    if (metadata.issuer !== issuer) throw unusable(issuer, `${place} is about another issuer`)
    return metadata
  }
  throw unusable(issuer, 'it has no metadata at its well-known places')
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

/** Keys that are not there are looked for again, but not for every token that somebody makes up. */
const COOLDOWN_MS = 5000
const KEYS_KEPT_MS = 10 * 60_000

/** The keys of an issuer. They are asked for when needed, kept for a while, and asked for anew when it has new ones. */
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

/** Who has got keys asks no sooner than after the cooldown, so whoever comes back at once has got none. */
function createPacedFetch(issuer: string): (url: string, init: RequestInit) => Promise<Response> {
  let askedAt = Number.NEGATIVE_INFINITY
  return async (url, init) => {
    if (performance.now() - askedAt < ASK_AGAIN_MS)
      throw new HintgateError('issuer_unusable', { issuer, why: 'its keys could not be read a moment ago' })
    try {
      return await fetchPlain(url, init)
    } finally {
      askedAt = performance.now()
    }
  }
}

const KEPT_MS = 5 * 60_000

interface Asked {
  readonly metadata: Promise<IssuerMetadata>
  until: number
}

/**
 * Discovers issuers once for all who ask within some minutes: anybody may begin to sign in, and what they do must not be
 * requests of ours to somebody else. One that did not answer is asked again soon.
 */
export function rememberIssuers(now: () => number, discover = discoverIssuer): typeof discoverIssuer {
  const known = new Map<string, Asked>()
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
