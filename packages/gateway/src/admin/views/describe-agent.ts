import { parseDuration, parseRate } from '../../base/measures.ts'
import type { Scope } from '../../scope/scope.ts'
import type { TokenDescription } from '../../tokens/describe-token.ts'
import type { Agent, Input } from '../contract/contract.ts'
import { AdminProblem } from '../http/problem.ts'

/** A token as people see it; nothing of its secret but the first characters. */
export function describeAgent(token: TokenDescription, scope: Scope | undefined): Agent {
  const { name, kind, status, permissions, servers, tools, hint, role } = token
  const { rate, confirm } = scope ?? {}
  return {
    name,
    kind,
    status,
    ...(hint === undefined ? {} : { hint }),
    ...(role === undefined ? {} : { role }),
    permissions: [...permissions],
    servers: [...servers],
    ...(tools === undefined ? {} : { tools: [...tools] }),
    ...(confirm === undefined ? {} : { confirm }),
    ...(rate === undefined ? {} : { rate: { limit: rate.limit, windowMs: rate.windowMs } }),
    ...at('createdAt', token.created),
    ...at('expiresAt', token.expires),
    ...at('revokedAt', token.revoked),
    ...at('lastUsedAt', token.lastUsed),
    source: token.scope === 'config' ? 'config' : 'store',
  }
}

function at<K extends string>(key: K, time: string | undefined): { [N in K]?: number } {
  return time === undefined ? {} : ({ [key]: Date.parse(time) } as { [N in K]: number })
}

type Wanted = Input<'createAgent'>['body']

/** What a new token is good for: as little as was said. */
export function readScope(body: Wanted, kind: Agent['kind']): Scope {
  const { permissions = [], servers = [], tools, confirm, role = 'viewer' } = body
  const rate = body.rate === undefined ? undefined : parseRate(body.rate)
  if (body.rate !== undefined && rate === undefined)
    throw new AdminProblem('invalid_request', 'body.rate: expected for example 60/m, 5/10s or 1000/h')
  return {
    permissions: [...new Set(permissions)],
    servers,
    ...(tools === undefined ? {} : { tools }),
    ...(confirm === undefined ? {} : { confirm: definedOf(confirm) }),
    ...(rate === undefined ? {} : { rate }),
    ...(kind === 'person' ? { role } : {}),
  }
}

function definedOf(confirm: NonNullable<Wanted['confirm']>): NonNullable<Scope['confirm']> {
  return Object.fromEntries(Object.entries(confirm).filter(([, value]) => value !== undefined))
}

export function readExpiry(text: string | undefined, now: number): number | undefined {
  if (text === undefined) return undefined
  // A bare number would be milliseconds, which nobody means here.
  const ms = /^[\d.]+$/.test(text) ? undefined : parseDuration(text)
  const expiresAt = ms === undefined ? Number.NaN : now + ms
  if (ms !== undefined && ms > 0 && expiresAt <= 8.64e15) return expiresAt
  throw new AdminProblem('invalid_request', 'body.expiresIn: expected a duration such as 30d or 12h')
}
