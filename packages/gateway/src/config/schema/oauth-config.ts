import type { Scope } from '../../scope/scope.ts'
import { defined, type Frozen } from './defined.ts'
import { findDomains, type OAuthInput } from './oauth-schema.ts'
import type { ServerInput } from './server-schema.ts'

/** The issuers whose access tokens are accepted besides the gateway's own, and what their tokens permit. */
export type OAuthConfig = Frozen<ReturnType<typeof buildOAuth>>
/** How people sign in to the console with one of the issuers. */
export type ConsoleClient = Frozen<ReturnType<typeof buildClient>>
export type IssuerConfig = Frozen<ReturnType<typeof buildIssuer>>
/** How the gateway obtains tokens for a server. */
export type OAuthSettings = Frozen<ReturnType<typeof buildOAuthSettings>>

export interface Grant {
  /** claim → its required value, or one of its values. */
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
    // The audience of tokens has no trailing slash.
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
    /** The suffix of its callers' names, unique among the issuers. */
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

function buildGrant({ when, role, permissions, servers = [], tools, rate }: GrantInput): Grant {
  const scope = { permissions: [...new Set(permissions)], servers, ...defined({ tools, rate, role }) }
  return { when, kind: role === undefined ? 'agent' : 'person', scope }
}

export function buildOAuthSettings(input: NonNullable<ServerInput['oauth']>) {
  const { grant, ...client } = input === true ? {} : input
  return { grant: grant ?? ('authorization_code' as const), ...defined(client) }
}
