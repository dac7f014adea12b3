import type { Scope } from '../../scope/scope.ts'
import { defined, type Frozen } from './defined.ts'
import { findDomains, type OAuthInput } from './oauth-schema.ts'
import type { ServerInput } from './server-schema.ts'

/**
 * The issuers whose access tokens are accepted in addition to the gateway's own tokens, and the permissions of those
 * tokens.
 */
export type OAuthConfig = Frozen<ReturnType<typeof buildOAuth>>
/** The OAuth client with which people sign in to the console through one of the issuers. */
export type ConsoleClient = Frozen<ReturnType<typeof buildClient>>
export type IssuerConfig = Frozen<ReturnType<typeof buildIssuer>>
/** The settings with which the gateway obtains tokens for a server. */
export type OAuthSettings = Frozen<ReturnType<typeof buildOAuthSettings>>

export interface Grant {
  /** The required claims: each claim must be or contain the given value. */
  readonly when: Readonly<Record<string, string>>
  readonly kind: 'agent' | 'person'
  readonly scope: Scope
}

const USUAL_ALGORITHMS: readonly string[] = ['RS256', 'PS256', 'ES256', 'EdDSA', 'Ed25519']

export function buildOAuth({ resource, issuers, console: client }: OAuthInput) {
  const domains = findDomains(issuers.map(({ issuer }) => issuer))
  const built = issuers.map((one, at) => buildIssuer(one, domains[at] ?? ''))
  const issuer = built.find(known => known.issuer === client?.issuer)
  return {
    // Trailing slashes are removed, because tokens' audiences have none.
    resource: resource.replace(/\/+$/, ''),
    issuers: built,
    ...(client !== undefined && issuer !== undefined && { console: buildClient(client, issuer) }),
  }
}

function buildClient({ scope, ...client }: NonNullable<OAuthInput['console']>, issuer: IssuerConfig) {
  return { ...defined(client), issuer, scope: scope ?? 'openid profile email' }
}

function buildIssuer(
  { issuer, jwks, audiences, algorithms, clockSkew, name, grants }: OAuthInput['issuers'][number],
  domain: string,
) {
  return {
    issuer,
    /** The suffix of this issuer's callers' names. No other issuer has the same suffix. */
    domain,
    ...defined({ jwks }),
    audiences: audiences ?? [],
    algorithms: algorithms ?? USUAL_ALGORITHMS,
    clockSkewMs: clockSkew ?? 30_000,
    nameClaim: name ?? 'sub',
    grants: grants.map(buildGrant),
  }
}

type GrantInput = OAuthInput['issuers'][number]['grants'][number]

function buildGrant({ when, role, permissions, servers, sets, tools, rate }: GrantInput): Grant {
  const scope = {
    permissions: [...new Set(permissions)],
    servers: servers ?? (sets === undefined ? [] : ['*']),
    ...defined({ sets, tools, rate, role }),
  }
  return { when, kind: role === undefined ? 'agent' : 'person', scope }
}

export function buildOAuthSettings(input: NonNullable<ServerInput['oauth']>) {
  const { grant, ...client } = input === true ? {} : input
  return { grant: grant ?? ('authorization_code' as const), ...defined(client) }
}
