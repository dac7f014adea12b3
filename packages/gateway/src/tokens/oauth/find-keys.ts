import { HintgateError } from '../../base/errors.ts'
import { fetchPlain } from '../../base/plain-fetch.ts'
import type { IssuerConfig } from '../../config/schema/oauth-config.ts'
import { addressIn, discoverIssuer } from './discover-issuer.ts'

type Keys = ReturnType<typeof import('jose').createRemoteJWKSet>

const ANSWER_MS = 5000
/** Keys that are not there are looked for again, but not for every token that somebody makes up. */
const COOLDOWN_MS = 5000
const KEPT_MS = 10 * 60_000
/** An issuer that has no keys for us is asked again soon, but not for every token either. */
const ASK_AGAIN_MS = 2000

/** The keys of an issuer. They are asked for when needed, kept for a while, and asked for anew when it has new ones. */
export async function findKeys({ issuer, jwks }: Pick<IssuerConfig, 'issuer' | 'jwks'>): Promise<Keys> {
  const { createRemoteJWKSet, customFetch } = await import('jose')
  const url = jwks ?? addressIn(await discoverIssuer(issuer), 'jwks_uri')
  return createRemoteJWKSet(new URL(url), {
    timeoutDuration: ANSWER_MS,
    cooldownDuration: COOLDOWN_MS,
    cacheMaxAge: KEPT_MS,
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
