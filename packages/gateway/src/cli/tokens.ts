import { Command } from 'commander'
import { HintgateError } from '../base/errors.ts'
import type { Rate, Scope } from '../scope/scope.ts'
import { describeTokens, type TokenDescription } from '../tokens/describe-token.ts'
import type { Minted, Tokens } from '../tokens/tokens.ts'
import { layTable } from './show/lay-table.ts'
import { addPlaceOptions, type Context, type PlaceFlags, reportError, withStore } from './terminal/context.ts'
import { EXIT, write } from './terminal/output.ts'
import { parseExpiry, parseRole, parseScope, type ScopeFlags } from './terminal/token-flags.ts'

interface CommonFlags extends PlaceFlags {
  readonly json?: boolean
}

interface CreateFlags extends CommonFlags, ScopeFlags {
  readonly expires?: string
  readonly admin?: boolean
  readonly role?: string
}

const EXAMPLES = `
Examples:
  $ hintgate tokens create reporting-bot --permissions retrieve_tools,read --servers db,crm --expires 30d
  $ hintgate tokens list
  $ hintgate tokens revoke reporting-bot

Permissions: retrieve_tools, call_tool_read, call_tool_write, call_tool_destructive; read, write and
destructive for short. In servers and tools * stands for any characters; a tool is tool or server:tool.
A running gateway notices every change at once.

Exit codes: 0 done, 1 failed, 2 wrong usage or config.`

export function tokensCommand(): Command {
  const tokens = new Command('tokens')
    .description('agent tokens: who may use the gateway, and for what')
    .addHelpText('after', EXAMPLES)
  subcommand(tokens, 'create <name>', 'make a token; it is shown this once')
    .option('--permissions <list>', 'what it may be used for (default: retrieve_tools,call_tool_read)')
    .option('--servers <list>', 'servers it may reach (default: *)')
    .option('--tools <list>', 'tools it may use (default: all of those servers)')
    .option('--rate <rate>', 'how many calls it may be used for, such as 60/m (default: no limit)')
    .option(
      '--confirm <list>',
      'calls that ask a person, such as write=always,destructive=never (default: the config)',
    )
    .option('--expires <when>', 'when it ends: 30d, 12h or a date (default: never)')
    .option('--admin', 'a token for a person instead of an agent')
    .option('--role <role>', 'what that person may do: viewer, approver, operator or admin (default: admin)')
    .action((name: string, flags: CreateFlags) => run(flags, context => create(name, flags, context)))
  subcommand(tokens, 'list', 'all tokens, revoked ones too').action((flags: CommonFlags) =>
    run(flags, context => list(flags, context)),
  )
  subcommand(tokens, 'show <name>', 'one token').action((name: string, flags: CommonFlags) =>
    run(flags, context => show(name, flags, context)),
  )
  subcommand(tokens, 'revoke <name>', 'end a token at once').action((name: string, flags: CommonFlags) =>
    run(flags, context => revoke(name, flags, context)),
  )
  subcommand(
    tokens,
    'rotate <name>',
    'a new secret for the same name and scope; the old one ends at once',
  ).action((name: string, flags: CommonFlags) => run(flags, context => rotate(name, flags, context)))
  return tokens
}

function subcommand(parent: Command, usage: string, description: string): Command {
  const [name = ''] = usage.split(' ')
  const command = parent.command(usage).description(description)
  const example = EXAMPLES.split('\n').find(line => line.includes(`tokens ${name}`))
  command.addHelpText('after', `\nExample:\n${example ?? `  $ hintgate tokens ${name} reporting-bot`}`)
  return addPlaceOptions(command).option('--json', 'print JSON')
}

async function run(flags: CommonFlags, action: (context: Context) => Promise<void>): Promise<void> {
  try {
    await withStore({ ...flags, skip: isOfNoInterest }, action)
    process.exitCode = EXIT.done
  } catch (error) {
    process.exitCode = reportError(error)
  }
}

/** Tokens live in the store; the secrets of servers and agents need not be at hand to manage them. */
function isOfNoInterest([section, , key]: readonly (string | number)[]): boolean {
  return (section !== 'store' && section !== 'agent_tokens') || key === 'token'
}

async function openTokens({ store, home, config }: Context): Promise<Tokens> {
  const { createTokens } = await import('../tokens/tokens.ts')
  const { loadSecretKey } = await import('../tokens/secret-key.ts')
  return createTokens({ store, key: loadSecretKey(home), agentTokens: config.agentTokens })
}

async function create(name: string, flags: CreateFlags, context: Context): Promise<void> {
  const now = Date.now()
  const role = flags.role === undefined ? undefined : parseRole(flags.role)
  const kind = flags.admin || role !== undefined ? 'person' : 'agent'
  const entry = kind === 'person' ? undefined : context.config.agentTokens.find(known => known.name === name)
  if (
    entry !== undefined &&
    (flags.permissions ?? flags.servers ?? flags.tools ?? flags.rate ?? flags.confirm) !== undefined
  )
    throw new HintgateError('flag_invalid', {
      flag: '--permissions, --servers, --tools, --rate, --confirm',
      why: `what ${name} may do is written in agent_tokens of ${context.path}; change it there`,
    })
  const scope = { ...(entry?.scope ?? parseScope(flags)), ...(role !== undefined && { role }) }
  const expiresAt = flags.expires === undefined ? undefined : parseExpiry(flags.expires, now)
  const tokens = await openTokens(context)
  await printMinted(await tokens.mint(name, scope, { expiresAt, kind }), flags)
}

async function rotate(name: string, flags: CommonFlags, context: Context): Promise<void> {
  const tokens = await openTokens(context)
  await printMinted(await tokens.rotate(name), flags)
}

async function printMinted({ token, stored }: Minted, flags: CommonFlags): Promise<void> {
  const { name, scope, expiresAt } = stored
  const expires = expiresAt === undefined ? undefined : new Date(expiresAt).toISOString()
  if (flags.json) return printJson({ name, token, ...scope, ...(expires && { expires }) })
  const lines = [
    `Token of ${name}; copy it now, it is not shown again:`,
    '',
    `  ${token}`,
    '',
    `permissions  ${scope.permissions.join(', ')}`,
    `servers      ${scope.servers.join(', ')}`,
    ...(scope.tools ? [`tools        ${scope.tools.join(', ')}`] : []),
    ...(scope.rate ? [`rate         ${showRate(scope.rate)}`] : []),
    ...(scope.confirm ? [`confirm      ${showConfirm(scope.confirm)}`] : []),
    `expires      ${expires ?? 'never'}`,
    '',
    `Clients send it as a header: Authorization: Bearer ${token.slice(0, 9)}…`,
  ]
  await write(`${lines.join('\n')}\n`)
}

async function revoke(name: string, flags: CommonFlags, context: Context): Promise<void> {
  const tokens = await openTokens(context)
  await tokens.revoke(name)
  if (flags.json) await printJson({ name, revoked: true })
  else await write(`Revoked ${name}; it stops working at once.\n`)
  if (context.config.agentTokens.some(entry => entry.name === name))
    process.stderr.write(
      `hintgate: should ${context.path} give ${name} a "token" of its own, that one still works\n`,
    )
}

async function describeAll({ store, config }: Context): Promise<TokenDescription[]> {
  return describeTokens(await store.tokens.list(), config.agentTokens, Date.now())
}

async function list(flags: CommonFlags, context: Context): Promise<void> {
  const tokens = await describeAll(context)
  if (flags.json) return printJson(tokens)
  if (tokens.length === 0) return write('No tokens yet. Make one with: hintgate tokens create NAME\n')
  const rows = tokens.map(token => [
    token.name,
    token.status,
    token.permissions.map(permission => permission.replace('call_tool_', '')).join(','),
    token.servers.join(','),
    token.expires ?? 'never',
    token.lastUsed ?? 'never',
  ])
  const head = ['NAME', 'STATUS', 'PERMISSIONS', 'SERVERS', 'EXPIRES', 'LAST USED']
  await write(`${layTable([head, ...rows]).join('\n')}\n`)
}

async function show(name: string, flags: CommonFlags, context: Context): Promise<void> {
  const found = (await describeAll(context)).find(token => token.name === name)
  if (found === undefined) throw new HintgateError('token_unknown', { name })
  if (flags.json) return printJson(found)
  const { rate, confirm, ...plain } = found
  const said = {
    ...plain,
    ...(rate && { rate: showRate(rate) }),
    ...(confirm && { confirm: showConfirm(confirm) }),
  }
  const lines = Object.entries(said).map(([key, value]) => [key, [value ?? []].flat().join(', ')])
  await write(`${layTable(lines).join('\n')}\n`)
}

async function printJson(value: unknown): Promise<void> {
  await write(`${JSON.stringify(value, null, 2)}\n`)
}

const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1000],
] as const

/** As `tokens create --rate` takes it: `10/m`, `5/10s`. */
export function showRate({ limit, windowMs }: Rate): string {
  const [unit, size] = UNITS.find(([, ms]) => windowMs % ms === 0) ?? (['ms', 1] as const)
  const windows = windowMs / size
  return `${limit}/${windows === 1 ? '' : windows}${unit}`
}

/** As `tokens create --confirm` takes it: `destructive=never`. */
export function showConfirm(confirm: NonNullable<Scope['confirm']>): string {
  return Object.entries(confirm)
    .map(([kind, when]) => `${kind}=${when}`)
    .join(', ')
}
