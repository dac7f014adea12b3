import { findDomains } from './schema/issuer-domains.ts'
import type { ConsoleClient, Grant, IssuerConfig, OAuthConfig } from './schema/oauth-config.ts'
import type { OAuthInput } from './schema/oauth-schema.ts'
import type { OAuthSettings } from './schema/oauth-settings.ts'
import type { ServerInput } from './schema/server-schema.ts'

const USUAL_ALGORITHMS = ['RS256', 'PS256', 'ES256', 'EdDSA', 'Ed25519']

export function buildOAuth({ resource, issuers, console: client }: OAuthInput): OAuthConfig {
  const domains = findDomains(issuers.map(({ issuer }) => issuer))
  const built = issuers.map((one, at) => buildIssuer(one, domains[at] ?? ''))
  const issuer = built.find(known => known.issuer === client?.issuer)
  return {
    resource: resource.replace(/\/+$/, ''),
    issuers: built,
    ...(client !== undefined && issuer !== undefined && { console: buildClient(client, issuer) }),
  }
}

function buildClient(
  { clientId, clientSecret, scope }: NonNullable<OAuthInput['console']>,
  issuer: IssuerConfig,
): ConsoleClient {
  const secret = clientSecret === undefined ? {} : { clientSecret }
  return { issuer, clientId, ...secret, scope: scope ?? 'openid profile email' }
}

function buildIssuer(
  { issuer, jwks, audiences, algorithms, clockSkew, name, grants }: OAuthInput['issuers'][number],
  domain: string,
): IssuerConfig {
  return {
    issuer,
    domain,
    ...(jwks === undefined ? {} : { jwks }),
    audiences: audiences ?? [],
    algorithms: algorithms ?? USUAL_ALGORITHMS,
    clockSkewMs: clockSkew ?? 30_000,
    nameClaim: name ?? 'sub',
    grants: grants.map(buildGrant),
  }
}

function buildGrant({
  when,
  role,
  permissions,
  servers,
  tools,
  rate,
}: OAuthInput['issuers'][number]['grants'][number]): Grant {
  const scope = {
    permissions: [...new Set(permissions)],
    servers: servers ?? [],
    ...(tools && { tools }),
    ...(rate && { rate }),
  }
  return role === undefined
    ? { when, kind: 'agent', scope }
    : { when, kind: 'person', scope: { ...scope, role } }
}

export function buildOAuthSettings(input: NonNullable<ServerInput['oauth']>): OAuthSettings {
  const { grant, clientId, clientSecret, clientMetadataUrl, scope, issuer } = input === true ? {} : input
  return {
    grant: grant ?? 'authorization_code',
    ...(clientId === undefined ? {} : { clientId }),
    ...(clientSecret === undefined ? {} : { clientSecret }),
    ...(clientMetadataUrl === undefined ? {} : { clientMetadataUrl }),
    ...(scope === undefined ? {} : { scope }),
    ...(issuer === undefined ? {} : { issuer }),
  }
}
