import { nearest } from '@hintgate/metadata'
import { HintgateError } from '../../base/errors.ts'
import { matchesGlob } from '../../scope/match-scope.ts'
import type { Rate, Scope } from '../../scope/scope.ts'
import { describeTokens, type TokenDescription } from '../../tokens/describe-token.ts'
import type { Minted } from '../../tokens/tokens.ts'
import { showJson, showTable } from '../show/show-json.ts'
import { type CommonFlags, type Context, invalidFlag, withStore } from '../terminal/context.ts'
import type { Ending } from '../terminal/output.ts'
import { openTokens, parseExpiry, parseRole, parseScope, type ScopeFlags } from '../terminal/token-flags.ts'

interface CreateFlags extends CommonFlags, ScopeFlags {
  readonly expires?: string
  readonly admin?: boolean
  readonly role?: string
}

/** The names of agents, servers and toolsets in the config, which is read without its secrets. */
interface Named {
  readonly servers: Set<string>
  readonly sets: Set<string>
  /** Agents with a secret in the config. */
  readonly withSecret: Set<string>
}

/** Runs an action on tokens. Tokens are in the store, so secrets in the config are allowed to be missing. */
function run<T>(
  flags: CommonFlags,
  action: (context: Context & { readonly named: Named }) => Promise<T>,
): Promise<T> {
  const named: Named = { servers: new Set(), sets: new Set(), withSecret: new Set() }
  const skip = ([section, name, key]: readonly (string | number)[]): boolean => {
    if (section === 'mcpServers') {
      if (name !== undefined) named.servers.add(String(name))
      return name !== undefined
    }
    if (section === 'toolsets') {
      if (name !== undefined) named.sets.add(String(name))
      return name !== undefined
    }
    if (key === 'token') named.withSecret.add(String(name))
    return (section !== 'store' && section !== 'agent_tokens') || key === 'token'
  }
  return withStore({ ...flags, skip }, context => action({ ...context, named }))
}

export function create(name: string, flags: CreateFlags): Promise<Ending> {
  return run(flags, async context => {
    const role = flags.role === undefined ? undefined : parseRole(flags.role)
    const kind = flags.admin || role !== undefined ? 'person' : 'agent'
    const entry =
      kind === 'person' ? undefined : context.config.agentTokens.find(known => known.name === name)
    const { permissions, servers, tools, sets, rate, confirm, statesTask } = flags
    const given = permissions ?? servers ?? tools ?? sets ?? rate ?? confirm ?? statesTask
    if (entry !== undefined && given !== undefined)
      throw invalidFlag(
        '--permissions, --servers, --tools, --sets, --rate, --confirm, --states-task',
        `${name} is listed in agent_tokens of ${context.path}; change its scope there`,
      )
    const scope = { ...(entry?.scope ?? parseScope(flags)), ...(role !== undefined && { role }) }
    const expiresAt = flags.expires === undefined ? undefined : parseExpiry(flags.expires, Date.now())
    const tokens = openTokens(context)
    const minted = showMinted(await tokens.mint(name, scope, { expiresAt, kind }), flags)
    const err = [
      ...(servers === undefined ? [] : [warnOfServers(scope.servers, context)]),
      ...(sets === undefined ? [] : [warnOfSets(scope.sets ?? [], context)]),
    ].join('')
    return err === '' ? minted : { ...minted, err }
  })
}

export function rotate(name: string, flags: CommonFlags): Promise<Ending> {
  return run(flags, async context => {
    const tokens = openTokens(context)
    return showMinted(await tokens.rotate(name), flags)
  })
}

interface Known {
  readonly path: string | undefined
  readonly named: Named
}

function warnOfServers(globs: readonly string[], { path, named }: Known): string {
  return warnOfUnknown(globs, { what: 'server', path, known: [...named.servers] })
}

function warnOfSets(globs: readonly string[], { path, named }: Known): string {
  return warnOfUnknown(globs, { what: 'toolset', path, known: [...named.sets] })
}

/** Warns about unknown names. They are not an error, because a server or a toolset can be added later. */
function warnOfUnknown(
  globs: readonly string[],
  { what, path, known }: { what: string; path: string | undefined; known: readonly string[] },
): string {
  const isUnknown = (glob: string) => !known.some(server => matchesGlob(glob, server))
  const lines = globs
    .filter(glob => glob !== '*' && isUnknown(glob))
    .map(glob => {
      const where = path === undefined ? 'there is no config' : `${path} has ${known.join(', ') || 'none'}`
      const said = `hintgate: no ${what} is named ${JSON.stringify(glob)} (${where}), so this part of the token's scope has no effect yet`
      const meant = nearest(glob, known)
      return meant === undefined ? `${said}\n` : `${said}\n  fix: did you mean ${meant}?\n`
    })
  return lines.join('')
}

function showMinted({ token, stored }: Minted, flags: CommonFlags): Ending {
  const { name, scope, expiresAt } = stored
  const expires = expiresAt === undefined ? undefined : new Date(expiresAt).toISOString()
  if (flags.json) return { out: showJson({ name, token, ...scope, ...(expires && { expires }) }) }
  const lines = [
    `This is the token for ${name}. Copy it now, because it is not shown again.`,
    '',
    `  ${token}`,
    '',
    `permissions  ${scope.permissions.join(', ')}`,
    `servers      ${scope.servers.join(', ')}`,
    ...(scope.tools ? [`tools        ${scope.tools.join(', ')}`] : []),
    ...(scope.sets ? [`toolsets     ${scope.sets.join(', ')}`] : []),
    ...(scope.rate ? [`rate         ${showRate(scope.rate)}`] : []),
    ...(scope.confirm ? [`confirm      ${showConfirm(scope.confirm)}`] : []),
    `expires      ${expires ?? 'never'}`,
    '',
    `Clients send it in a header: Authorization: Bearer ${token.slice(0, 9)}…`,
  ]
  return { out: `${lines.join('\n')}\n` }
}

export function revoke(name: string, flags: CommonFlags): Promise<Ending> {
  return run(flags, async context => {
    const tokens = openTokens(context)
    await tokens.revoke(name)
    const isWritten = context.config.agentTokens.some(entry => entry.name === name)
    return {
      out: flags.json
        ? showJson({ name, revoked: true })
        : `Revoked the token for ${name}. It stops working immediately.\n`,
      err: isWritten
        ? `hintgate: if ${context.path} sets a "token" for ${name}, that token still works\n`
        : '',
    }
  })
}

async function describeAll({
  store,
  config,
  named,
}: Context & { readonly named: Named }): Promise<TokenDescription[]> {
  const [stored, uses] = await Promise.all([store.tokens.list(), store.tokens.listUses()])
  const { withSecret } = named
  return describeTokens({ stored, configured: config.agentTokens, uses, withSecret, now: Date.now() })
}

export function list(flags: CommonFlags): Promise<Ending> {
  return run(flags, async context => {
    const tokens = await describeAll(context)
    if (flags.json) return { out: showJson(tokens) }
    if (tokens.length === 0) return { out: 'No tokens yet. Create one with hintgate tokens create NAME.\n' }
    const rows = tokens.map(token => [
      token.name,
      token.role ?? 'agent',
      token.status,
      token.permissions.map(permission => permission.replace('call_tool_', '')).join(','),
      token.servers.join(','),
      token.expires ?? 'never',
      token.lastUsed ?? 'never',
    ])
    return {
      out: showTable([['NAME', 'ROLE', 'STATUS', 'PERMISSIONS', 'SERVERS', 'EXPIRES', 'LAST USED'], ...rows]),
    }
  })
}

export function show(name: string, flags: CommonFlags): Promise<Ending> {
  return run(flags, async context => {
    const found = (await describeAll(context)).find(token => token.name === name)
    if (found === undefined) throw new HintgateError('token_unknown', { name })
    if (flags.json) return { out: showJson(found) }
    const { rate, confirm, ...plain } = found
    const said = {
      ...plain,
      ...(rate && { rate: showRate(rate) }),
      ...(confirm && { confirm: showConfirm(confirm) }),
    }
    return {
      out: showTable(Object.entries(said).map(([key, value]) => [key, [value ?? []].flat().join(', ')])),
    }
  })
}

const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1000],
] as const

/** Shows a rate in the syntax of `tokens create --rate`, such as `10/m` or `5/10s`. */
export function showRate({ limit, windowMs }: Rate): string {
  const [unit, size] = UNITS.find(([, ms]) => windowMs % ms === 0) ?? (['ms', 1] as const)
  const windows = windowMs / size
  return `${limit}/${windows === 1 ? '' : windows}${unit}`
}

/** Shows rules in the syntax of `tokens create --confirm`, such as `destructive=never`. */
export function showConfirm(confirm: NonNullable<Scope['confirm']>): string {
  return Object.entries(confirm)
    .map(([kind, when]) => `${kind}=${when}`)
    .join(', ')
}
