import type { OAuthConfig } from '../../config/schema/oauth-config.ts'
import type { Refusal } from '../../tokens/oauth/issuers.ts'
import { metadataUrlOf } from '../../tokens/oauth/resource-metadata.ts'

interface Challenge {
  readonly status: 401 | 403
  readonly message: string
  /** For `WWW-Authenticate`. */
  readonly challenge: string
}

/** What who has no good credential is told: that it is so, and where to get one. Never why a token is not good. */
export function challengeFor(
  failure: 'missing' | Refusal['code'],
  path: string,
  oauth: OAuthConfig | undefined,
): Challenge {
  const known = oauth === undefined ? '' : `, resource_metadata="${metadataUrlOf(path, oauth)}"`
  if (failure === 'missing')
    return {
      status: 401,
      message: 'a token is needed: Authorization: Bearer hg_agent_…',
      challenge: `Bearer realm="hintgate"${known}`,
    }
  const isUseless = failure === 'no_grant'
  return {
    status: isUseless ? 403 : 401,
    message: isUseless ? 'this token is good for nothing here' : 'this token is not valid here',
    challenge: `Bearer realm="hintgate", error="${isUseless ? 'insufficient_scope' : 'invalid_token'}"${known}`,
  }
}
