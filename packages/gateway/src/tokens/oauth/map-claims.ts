import { showUntrusted } from '@hintgate/metadata'
import type { Grant, IssuerConfig } from '../../config/schema/oauth-config.ts'
import type { Principal } from '../../scope/scope.ts'

export type Claims = Readonly<Record<string, unknown>>

/** Who a verified token speaks for; `no_grant`: it is genuine, and good for nothing here. */
export type Mapped = Omit<Principal, 'credential'> | 'no_name' | 'no_grant'

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
