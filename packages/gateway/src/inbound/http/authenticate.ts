import type { ServerResponse } from 'node:http'
import type { OAuthConfig } from '../../config/schema/oauth-config.ts'
import type { KnownHeaders } from '../../http/read-headers.ts'
import type { Principal } from '../../scope/scope.ts'
import type { Refusal } from '../../tokens/oauth/issuers.ts'
import { metadataUrlOf } from '../../tokens/oauth/resource-metadata.ts'
import { isRefusal, type Tokens } from '../../tokens/tokens.ts'
import { refuse } from './refuse-request.ts'

interface Challenge {
  readonly status: 401 | 403
  readonly message: string
  /** The value of the `WWW-Authenticate` header. */
  readonly challenge: string
}

/**
 * Returns the answer to a request without a valid credential: what is wrong, and where to get a token. For an invalid
 * token, the answer says only whether it has expired. Only the holder of a token can learn even this, because the token
 * is looked up by a keyed hash of the whole secret.
 */
function challengeFor(
  failure: 'missing' | Refusal['code'],
  path: string,
  oauth: OAuthConfig | undefined,
): Challenge {
  const known = oauth === undefined ? '' : `, resource_metadata="${metadataUrlOf(path, oauth)}"`
  if (failure === 'missing')
    return {
      status: 401,
      message: 'the request has no token; send the header Authorization: Bearer hg_agent_…',
      challenge: `Bearer realm="hintgate"${known}`,
    }
  if (failure === 'expired')
    return {
      status: 401,
      message: 'this token has expired; ask the operator for a new one',
      challenge: `Bearer realm="hintgate", error="invalid_token", error_description="the token has expired"${known}`,
    }
  const isUseless = failure === 'no_grant'
  return {
    status: isUseless ? 403 : 401,
    message: isUseless
      ? 'this token has no permission here; ask the operator for one that has'
      : 'this token is not valid here; ask the operator for a valid one',
    challenge: `Bearer realm="hintgate", error="${isUseless ? 'insufficient_scope' : 'invalid_token'}"${known}`,
  }
}

interface UnauthenticatedRequest {
  readonly headers: KnownHeaders
  readonly res: ServerResponse
  readonly path: string
}

/**
 * Identifies the caller. No request is anonymous, and an invalid credential never counts as a missing one. Returns
 * undefined if the request was refused.
 */
export async function authenticate(
  { headers, res, path }: UnauthenticatedRequest,
  token: string | undefined,
  { tokens, oauth }: { readonly tokens: Tokens; readonly oauth: () => OAuthConfig | undefined },
): Promise<Principal | undefined> {
  const answer = token === undefined ? undefined : await tokens.authenticate(token)
  if (answer !== undefined && !isRefusal(answer)) return answer
  const failure = headers.authorization === undefined ? 'missing' : (answer?.code ?? 'malformed')
  const { status, message, challenge } = challengeFor(failure, path, oauth())
  refuse(res, status, message, { 'www-authenticate': challenge })
  return undefined
}
