import { showUntrusted } from '@hintgate/metadata'
import type { Grant, IssuerConfig, OAuthConfig } from '../../config/schema/oauth-config.ts'
import type { Role } from '../../scope/role.ts'
import type { Principal, Vouched } from '../../scope/scope.ts'

type Claims = Readonly<Record<string, unknown>>

/**
 * The principal of a verified token, or the reason why there is none. `no_grant`: the token is genuine, but the config
 * grants it nothing.
 */
type Mapped = Omit<Principal, 'credential'> | 'no_name' | 'no_grant'

/** Maximum length of a caller's id in the audit log. */
const LONGEST_ID = 256

/**
 * Maps the claims of a verified token to a principal. The issuer's domain is appended to every name, so names from
 * different issuers cannot collide. Names appear in logs and terminals: a name is rejected if it is too long or
 * contains hidden characters, line breaks or terminal controls.
 */
export function mapClaims(claims: Claims, { domain, nameClaim, grants }: IssuerConfig): Mapped {
  const name = claims[nameClaim]
  const longest = LONGEST_ID - `person:@${domain}`.length
  if (typeof name !== 'string' || name === '' || name.length > longest) return 'no_name'
  if (showUntrusted(name, LONGEST_ID) !== name) return 'no_name'
  const grant = grants.find(({ when }) => holds(when, claims))
  if (grant === undefined) return 'no_grant'
  const full = `${name}@${domain}`
  const expiry = typeof claims.exp === 'number' ? { expiresAt: claims.exp * 1000 } : {}
  return { id: `${grant.kind}:${full}`, name: full, kind: grant.kind, scope: grant.scope, ...expiry }
}

function holds(when: Grant['when'], claims: Claims): boolean {
  return Object.entries(when).every(([claim, wanted]) => valuesOf(claim, claims).includes(wanted))
}

/**
 * Returns a claim's values. `scope` has several values in one string (RFC 8693), while lists such as `groups` have one
 * per element.
 */
function valuesOf(claim: string, claims: Claims): readonly unknown[] {
  // Inherited properties such as `constructor` are not claims.
  const value = Object.hasOwn(claims, claim) ? claims[claim] : undefined
  if (claim === 'scope' && typeof value === 'string') return value.split(' ')
  return Array.isArray(value) ? value : [value]
}

interface Known {
  readonly person: string
  readonly role: Role
}

/** Keeps only the claims that the config depends on. A claim that is missing is stored as null. */
export function vouch(claims: Claims, issuer: IssuerConfig): Vouched {
  const kept = askedBy(issuer).map(name => [name, Object.hasOwn(claims, name) ? claims[name] : null])
  return { issuer: issuer.issuer, claims: Object.fromEntries(kept) as Claims }
}

/**
 * Returns a person's name and role under the current config. Undefined if the issuer no longer signs people in, or the
 * config grants nothing. If a new rule depends on a claim that was not recorded, the person must sign in again.
 */
export function mapVouched({ issuer, claims }: Vouched, oauth: OAuthConfig | undefined): Known | undefined {
  const known = oauth?.console?.issuer
  if (known === undefined || known.issuer !== issuer) return undefined
  if (!askedBy(known).every(name => Object.hasOwn(claims, name))) return undefined
  return mapPerson(claims, known)
}

/** Finds the person whom the claims identify. Undefined if the config grants this person nothing. */
export function mapPerson(claims: Claims, issuer: IssuerConfig): Known | undefined {
  const mapped = mapClaims(claims, issuer)
  if (typeof mapped === 'string' || mapped.kind !== 'person') return undefined
  return { person: mapped.name, role: mapped.scope.role ?? 'viewer' }
}

function askedBy({ nameClaim, grants }: IssuerConfig): string[] {
  return [...new Set([nameClaim, ...grants.flatMap(({ when }) => Object.keys(when))])]
}
