import type { IssuerConfig, OAuthConfig } from '../../config/schema/oauth-config.ts'
import type { Role } from '../../scope/role.ts'
import type { Vouched } from '../../scope/scope.ts'
import { type Claims, mapClaims } from './map-claims.ts'

interface Known {
  readonly person: string
  readonly role: Role
}

/** As much of the claims as decides anything by the config; null stands for what was not claimed. */
export function vouch(claims: Claims, issuer: IssuerConfig): Vouched {
  const kept = askedBy(issuer).map(name => [name, Object.hasOwn(claims, name) ? claims[name] : null])
  return { issuer: issuer.issuer, claims: Object.fromEntries(kept) as Claims }
}

/**
 * Who somebody is by the config as it is now, and what they may do; undefined when people do not sign in with that
 * issuer any more, or are granted nothing. A claim that was not asked for when they signed in may speak against them,
 * so that they have to sign in again.
 */
export function mapVouched({ issuer, claims }: Vouched, oauth: OAuthConfig | undefined): Known | undefined {
  const known = oauth?.console?.issuer
  if (known === undefined || known.issuer !== issuer) return undefined
  if (!askedBy(known).every(name => Object.hasOwn(claims, name))) return undefined
  return mapPerson(claims, known)
}

/** What claims mean for a person; undefined when they speak for none who may be here. */
export function mapPerson(claims: Claims, issuer: IssuerConfig): Known | undefined {
  const mapped = mapClaims(claims, issuer)
  if (typeof mapped === 'string' || mapped.kind !== 'person') return undefined
  return { person: mapped.name, role: mapped.scope.role ?? 'viewer' }
}

function askedBy({ nameClaim, grants }: IssuerConfig): string[] {
  return [...new Set([nameClaim, ...grants.flatMap(({ when }) => Object.keys(when))])]
}
