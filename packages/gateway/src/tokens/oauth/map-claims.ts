import { showUntrusted } from '@hintgate/metadata'
import type { Grant, IssuerConfig, OAuthConfig } from '../../config/schema/oauth-config.ts'
import type { Role } from '../../scope/role.ts'
import type { Principal, Vouched } from '../../scope/scope.ts'

type Claims = Readonly<Record<string, unknown>>

/** The principal of a verified token; `no_grant` if the token is genuine, but the config grants it nothing. */
type Mapped = Omit<Principal, 'credential'> | 'no_name' | 'no_grant'

/** The most characters of a caller's id that the audit log stores. */
const LONGEST_ID = 256

/**
 * Maps the claims of a verified token to a principal. Names of different issuers cannot collide, because each is
 * followed by the issuer's domain. Names appear in logs and terminals, so one that is too long or contains hidden
 * characters, line breaks or terminal controls is rejected.
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

/** Returns a claim's values: `scope` has several in one text (RFC 8693), and lists such as `groups` have them as elements. */
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

/** Keeps the claims that the config depends on; null stands for a missing claim. */
export function vouch(claims: Claims, issuer: IssuerConfig): Vouched {
  const kept = askedBy(issuer).map(name => [name, Object.hasOwn(claims, name) ? claims[name] : null])
  return { issuer: issuer.issuer, claims: Object.fromEntries(kept) as Claims }
}

/**
 * Returns a person's name and role under the current config; undefined if the issuer no longer signs people in, or
 * nothing is granted. If a new rule depends on a claim that was not recorded, the person must sign in again.
 */
export function mapVouched({ issuer, claims }: Vouched, oauth: OAuthConfig | undefined): Known | undefined {
  const known = oauth?.console?.issuer
  if (known === undefined || known.issuer !== issuer) return undefined
  if (!askedBy(known).every(name => Object.hasOwn(claims, name))) return undefined
  return mapPerson(claims, known)
}

/** Finds the person that claims identify; undefined if the config grants this person nothing. */
export function mapPerson(claims: Claims, issuer: IssuerConfig): Known | undefined {
  const mapped = mapClaims(claims, issuer)
  if (typeof mapped === 'string' || mapped.kind !== 'person') return undefined
  return { person: mapped.name, role: mapped.scope.role ?? 'viewer' }
}

function askedBy({ nameClaim, grants }: IssuerConfig): string[] {
  return [...new Set([nameClaim, ...grants.flatMap(({ when }) => Object.keys(when))])]
}
