import { HintgateError } from '../../base/errors.ts'
import { fetchPlain } from '../../base/plain-fetch.ts'
import { isSafeUrl } from '../../base/safe-url.ts'

export type IssuerMetadata = Readonly<Record<string, unknown>>

const ANSWER_MS = 5000

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

/** One of its addresses. */
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
