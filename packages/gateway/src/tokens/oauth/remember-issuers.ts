import { discoverIssuer, type IssuerMetadata } from './discover-issuer.ts'

const KEPT_MS = 5 * 60_000
const ASK_AGAIN_MS = 2000

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
