import { nearest } from '@hintgate/metadata'
import { momentAfter, parseMoment, parseRate } from '../../base/measures.ts'
import { ROLES, type Role } from '../../scope/role.ts'
import { PERMISSIONS, type Permission, type Rate, type Scope } from '../../scope/scope.ts'
import { loadSecretKey } from '../../tokens/secret-key.ts'
import { createTokens, type Tokens } from '../../tokens/tokens.ts'
import { type Context, invalidFlag } from './context.ts'

export interface ScopeFlags {
  readonly permissions?: string
  readonly servers?: string
  readonly tools?: string
  readonly sets?: string
  readonly rate?: string
  readonly confirm?: string
  readonly statesTask?: boolean
}

const SHORT_NAMES: ReadonlyMap<string, Permission> = new Map([
  ['read', 'call_tool_read'],
  ['write', 'call_tool_write'],
  ['destructive', 'call_tool_destructive'],
])

export function openTokens({ store, home, config }: Context): Tokens {
  return createTokens({ store, key: loadSecretKey(home), agentTokens: config.agentTokens })
}

export function parseScope(flags: ScopeFlags): Scope {
  const { permissions = 'retrieve_tools,read', servers = '*', tools, sets, rate, confirm } = flags
  return {
    permissions: [...new Set(split('--permissions', permissions).map(parsePermission))],
    servers: split('--servers', servers),
    tools: tools === undefined ? undefined : split('--tools', tools),
    ...(sets !== undefined && { sets: split('--sets', sets) }),
    rate: rate === undefined ? undefined : parseLimit(rate),
    ...(flags.statesTask === true && { statesTask: true }),
    confirm:
      confirm === undefined ? undefined : Object.fromEntries(split('--confirm', confirm).map(parseConfirm)),
  }
}

function parseLimit(text: string): Rate {
  const rate = parseRate(text)
  if (rate !== undefined) return rate
  throw invalidFlag('--rate', 'expected a rate such as 60/m, 5/10s or 1000/h')
}

/** Reads a rule such as `destructive=never`. */
function parseConfirm(text: string): [string, 'never' | 'always'] {
  const [kind = '', when] = text.split('=')
  if (SHORT_NAMES.has(kind) && (when === 'never' || when === 'always')) return [kind, when]
  const why = 'expected read, write or destructive with =never or =always, such as destructive=never'
  throw invalidFlag('--confirm', why)
}

function split(flag: string, list: string): string[] {
  const items = list.split(',').map(item => item.trim())
  if (items.some(item => item === '' || item.length > 256))
    throw invalidFlag(flag, 'expected a comma-separated list of names')
  return items
}

function parsePermission(name: string): Permission {
  const found = PERMISSIONS.find(permission => permission === name) ?? SHORT_NAMES.get(name)
  if (found !== undefined) return found
  const known = [...PERMISSIONS, ...SHORT_NAMES.keys()]
  const meant = nearest(name, known)
  const hint = meant === undefined ? `expected one of ${known.join(', ')}` : `did you mean ${meant}?`
  throw invalidFlag('--permissions', `unknown permission ${name}; ${hint}`)
}

export function parseRole(text: string): Role {
  const role = ROLES.find(known => known === text)
  if (role !== undefined) return role
  const why = `expected one of ${ROLES.join(', ')}`
  throw invalidFlag('--role', why)
}

/** Reads an expiry: a duration from now such as `30d`, or a date. */
export function parseExpiry(text: string, now: number): number {
  const expiresAt = parseMoment(text) ?? momentAfter(now, text)
  const complain = (why: string) => invalidFlag('--expires', why)
  if (expiresAt === undefined)
    throw complain('expected a duration such as 30d or 12h, or a date such as 2027-01-31')
  if (expiresAt <= now) throw complain('this time is in the past')
  return expiresAt
}
