import type { AgentTokenConfig } from '../config/config.ts'
import type { Role } from '../scope/role.ts'
import type { Scope } from '../scope/scope.ts'
import type { StoredToken } from '../store/store.ts'

/** A token as shown to people and scripts: no secret, times in ISO 8601. */
export interface TokenDescription {
  readonly name: string
  readonly kind: 'agent' | 'person'
  readonly status: 'active' | 'expired' | 'revoked' | 'configured' | 'without token'
  readonly permissions: Scope['permissions']
  readonly servers: Scope['servers']
  readonly tools?: Scope['tools']
  readonly rate?: Scope['rate']
  readonly confirm?: Scope['confirm']
  readonly statesTask?: Scope['statesTask']
  /** People only. */
  readonly role?: Role
  /** `config` if `agent_tokens` in the config overrides the token's own scope. */
  readonly scope: 'token' | 'config'
  readonly hint?: string
  readonly created?: string
  readonly expires?: string
  readonly revoked?: string
  readonly lastUsed?: string
}

/** All tokens by name: those in the store, and those that are only in the config. */
export function describeTokens(
  all: readonly StoredToken[],
  configured: readonly AgentTokenConfig[],
  now: number,
): TokenDescription[] {
  // Console sessions and codes are not shown.
  const stored = all.filter(({ scope }) => scope.console === undefined)
  const known = new Map(configured.map(entry => [entry.name, entry]))
  const names = new Set(stored.map(token => token.name))
  const described = [
    ...stored.map(token => describeStored(token, known.get(token.name), now)),
    ...configured.filter(entry => !names.has(entry.name)).map(entry => describeConfigured(entry, now)),
  ]
  return described.sort((a, b) => (a.name < b.name ? -1 : 1))
}

function describeStored(
  token: StoredToken,
  entry: AgentTokenConfig | undefined,
  now: number,
): TokenDescription {
  const override = token.kind === 'agent' ? entry : undefined
  const expiresAt = Math.min(token.expiresAt ?? Infinity, override?.expiresAt ?? Infinity)
  return {
    name: token.name,
    kind: token.kind,
    status: token.revokedAt === undefined ? statusOf(expiresAt, now) : 'revoked',
    ...(override ?? token).scope,
    ...(token.kind === 'person' && { role: token.scope.role ?? 'admin' }),
    scope: override === undefined ? 'token' : 'config',
    hint: token.hint,
    created: iso(token.createdAt),
    ...(expiresAt !== Infinity && { expires: iso(expiresAt) }),
    ...(token.revokedAt !== undefined && { revoked: iso(token.revokedAt) }),
    ...(token.lastUsedAt !== undefined && { lastUsed: iso(token.lastUsedAt) }),
  }
}

function describeConfigured(
  { name, scope, token, expiresAt }: AgentTokenConfig,
  now: number,
): TokenDescription {
  const isExpired = expiresAt !== undefined && expiresAt <= now
  return {
    name,
    kind: 'agent',
    status: token === undefined ? 'without token' : isExpired ? 'expired' : 'configured',
    ...scope,
    scope: 'config',
    ...(expiresAt !== undefined && { expires: iso(expiresAt) }),
  }
}

function statusOf(expiresAt: number, now: number): 'active' | 'expired' {
  return expiresAt <= now ? 'expired' : 'active'
}

function iso(at: number): string {
  return new Date(at).toISOString()
}
