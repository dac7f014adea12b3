import type { AgentTokenConfig } from '../config/config.ts'
import type { Role } from '../scope/role.ts'
import type { Scope } from '../scope/scope.ts'
import type { StoredToken } from '../store/store.ts'

/** A token as people and scripts see it: without the secret, and with times in ISO 8601. */
export interface TokenDescription {
  readonly name: string
  readonly kind: 'agent' | 'person'
  readonly status: 'active' | 'expired' | 'revoked' | 'configured' | 'without token'
  readonly permissions: Scope['permissions']
  readonly servers: Scope['servers']
  readonly tools?: Scope['tools']
  readonly sets?: Scope['sets']
  readonly rate?: Scope['rate']
  readonly confirm?: Scope['confirm']
  readonly statesTask?: Scope['statesTask']
  /** Only a person's token has a role. */
  readonly role?: Role
  /** `config` if `agent_tokens` in the config overrides the token's own scope. */
  readonly scope: 'token' | 'config'
  readonly hint?: string
  readonly created?: string
  readonly expires?: string
  readonly revoked?: string
  readonly lastUsed?: string
}

export interface KnownTokens {
  readonly stored: readonly StoredToken[]
  readonly configured: readonly AgentTokenConfig[]
  /** The last use of each token that is defined in the config, by name. */
  readonly uses: ReadonlyMap<string, number>
  /** Names of agents that have a secret in the config, for commands that do not read the secrets themselves. */
  readonly withSecret?: ReadonlySet<string>
  readonly now: number
}

/** Describes all tokens, those in the store and those only in the config, ordered by name. */
export function describeTokens({ stored: all, configured, ...rest }: KnownTokens): TokenDescription[] {
  // Console sessions and sign-in codes are not shown.
  const stored = all.filter(({ scope }) => scope.console === undefined)
  const known = new Map(configured.map(entry => [entry.name, entry]))
  const names = new Set(stored.map(token => token.name))
  const described = [
    ...stored.map(token => describeStored(token, known.get(token.name), rest)),
    ...configured.filter(entry => !names.has(entry.name)).map(entry => describeConfigured(entry, rest)),
  ]
  return described.sort((a, b) => (a.name < b.name ? -1 : 1))
}

type Facts = Pick<KnownTokens, 'now' | 'uses' | 'withSecret'>

function describeStored(
  token: StoredToken,
  entry: AgentTokenConfig | undefined,
  { now, uses }: Facts,
): TokenDescription {
  const override = token.kind === 'agent' ? entry : undefined
  // An agent in the config can have a secret there in addition to its stored token.
  const used = override === undefined ? undefined : uses.get(token.name)
  const lastUsedAt = Math.max(token.lastUsedAt ?? 0, used ?? 0)
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
    ...(lastUsedAt > 0 && { lastUsed: iso(lastUsedAt) }),
  }
}

function describeConfigured(
  { name, scope, token, expiresAt }: AgentTokenConfig,
  { now, uses, withSecret }: Facts,
): TokenDescription {
  const lastUsedAt = uses.get(name)
  const hasSecret = token !== undefined || withSecret?.has(name) === true
  const isExpired = expiresAt !== undefined && expiresAt <= now
  return {
    name,
    kind: 'agent',
    status: !hasSecret ? 'without token' : isExpired ? 'expired' : 'configured',
    ...scope,
    scope: 'config',
    ...(expiresAt !== undefined && { expires: iso(expiresAt) }),
    ...(lastUsedAt !== undefined && { lastUsed: iso(lastUsedAt) }),
  }
}

function statusOf(expiresAt: number, now: number): 'active' | 'expired' {
  return expiresAt <= now ? 'expired' : 'active'
}

function iso(at: number): string {
  return new Date(at).toISOString()
}
