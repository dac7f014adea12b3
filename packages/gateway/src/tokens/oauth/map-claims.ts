import { showUntrusted } from '@hintgate/metadata'
import type { Grant, IssuerConfig, OAuthConfig } from '../../config/schema/oauth-config.ts'
import type { Role } from '../../scope/role.ts'
import type { Principal, Vouched } from '../../scope/scope.ts'

type Claims = Readonly<Record<string, unknown>>

/** Who a verified token speaks for; `no_grant`: it is genuine, and good for nothing here. */
type Mapped = Omit<Principal, 'credential'> | 'no_name' | 'no_grant'

/** As much as the audit log keeps of who called. */
const LONGEST_ID = 256

/**
 * What the claims of a verified token mean here. Names of different issuers never meet: each is followed by whose it is.
 * Names are shown to people and written into lines, so one that would have to be shortened, or in which something
 * hides, breaks the line or steers a terminal, is none.
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

/** `scope` has several in one text, as RFC 8693 wants it; lists such as `groups` have several of their own. */
function valuesOf(claim: string, claims: Claims): readonly unknown[] {
  // Not what every object has, such as `constructor`.
  const value = Object.hasOwn(claims, claim) ? claims[claim] : undefined
  if (claim === 'scope' && typeof value === 'string') return value.split(' ')
  return Array.isArray(value) ? value : [value]
}

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
