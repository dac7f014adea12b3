import { addressIn, discoverIssuer } from './discover-issuer.ts'
import type { IssuerConfig } from './oauth-config.ts'
import { fetchPlain } from './plain-fetch.ts'

type Keys = ReturnType<typeof import('jose').createRemoteJWKSet>

const ANSWER_MS = 5000
/** Keys that are not there are looked for again, but not for every token that somebody makes up. */
const COOLDOWN_MS = 5000
const KEPT_MS = 10 * 60_000

/** The keys of an issuer. They are asked for when needed, kept for a while, and asked for anew when it has new ones. */
export async function findKeys({ issuer, jwks }: Pick<IssuerConfig, 'issuer' | 'jwks'>): Promise<Keys> {
  const { createRemoteJWKSet, customFetch } = await import('jose')
  const url = jwks ?? addressIn(await discoverIssuer(issuer), 'jwks_uri')
  return createRemoteJWKSet(new URL(url), {
    timeoutDuration: ANSWER_MS,
    cooldownDuration: COOLDOWN_MS,
    cacheMaxAge: KEPT_MS,
    [customFetch]: (at: string, asked: RequestInit) => fetchPlain(at, asked),
  })
}
