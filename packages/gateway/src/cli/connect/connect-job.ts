import { realpathSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { hasCode } from '../../base/errors.ts'
import { type ClientText, checkUnchanged, encode, replaceFile } from '../../client-configs/client-file.ts'
import type { Client, ClientFile, ClientScope, GatewayTarget } from '../../client-configs/clients.ts'
import {
  type ConnectionRecord,
  type ConnectionRecords,
  digestOf,
} from '../../client-configs/connection-record.ts'
import { openOwnConfig, writeOwnConfig } from '../../client-configs/own-config.ts'
import type { Place } from '../../client-configs/place.ts'
import { type ConfigImport, planConfigImport } from '../../client-configs/plan-config-import.ts'
import { type Change, showChange } from '../../client-configs/plan-connect.ts'
import type { Config } from '../../config/config.ts'
import type { Scope } from '../../scope/scope.ts'
import type { Tokens } from '../../tokens/tokens.ts'
import { revealLine } from '../show/review-text.ts'
import { type CommonFlags, type Context, invalidFlag, readGatewayUrl, version } from '../terminal/context.ts'
import { confirm, isAttended, type Paint, paint } from '../terminal/output.ts'
import { openTokens } from '../terminal/token-flags.ts'

export interface AgreeFlags extends CommonFlags {
  readonly yes?: boolean
  readonly scope?: string
}

export interface ConnectFlags extends AgreeFlags {
  readonly url?: string
  readonly stdio?: boolean
  readonly direct?: boolean
  readonly set?: string
  readonly name?: string
  readonly replace?: boolean
  readonly permissions?: string
  readonly servers?: string
  readonly expires?: string
}

export interface Job {
  readonly client: Client
  readonly file: ClientFile
  readonly name: string
  readonly place: Place
  readonly flags: ConnectFlags
  readonly context: Context
  /** The scope of the client's token; `expiresAt` is the token's expiry. */
  readonly scope: Scope
  readonly expiresAt: number | undefined
}

export function fileOf(client: Client, scope: string | undefined, place: Place): ClientFile {
  const files = client.files(place)
  const found = files.find(file => file.scope === (scope ?? 'user'))
  if (found !== undefined) return found
  const known = files.map(file => file.scope satisfies ClientScope).join(' or ')
  throw invalidFlag('--scope', `${client.title} supports ${known}`)
}

/**
 * Chooses the agent's name. It is the client's name, followed by the project's name for a project's file, and by a
 * number if the name is taken.
 */
export async function chooseAgent({ client, file, place, context }: Job): Promise<string> {
  const project = basename(place.cwd)
    .replaceAll(/[^\w.-]+/g, '-')
    .slice(0, 30)
  const base = file.scope === 'user' ? client.id : `${client.id}-${project}`
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? base : `${base}-${number}`
    const known = await context.store.tokens.findByName(name)
    if (known === undefined || known.revokedAt !== undefined) return name
  }
}

/** Plans which servers --replace moves from this file into Hintgate's config. */
export function planMove({ client, file, place, flags }: Job): ConfigImport {
  const only = { ...client, files: () => [file] }
  return planConfigImport([only], { own: openOwnConfig(flags, place), place, scopes: [file.scope] })
}

/** The names of the moved servers in the client's file. */
export function namesOf({ servers, skipped }: ConfigImport): readonly string[] {
  return [
    ...servers.map(({ original }) => original),
    ...skipped.filter(({ isThere }) => isThere).map(({ name }) => name),
  ]
}

interface ConnectPlan {
  readonly seen: ClientText
  readonly records: ConnectionRecords
  readonly moved: ConfigImport | undefined
  readonly agent: string
  readonly replaced: readonly string[]
  readonly textWith: (target: GatewayTarget) => string
  readonly target: (agent: string, token: string) => GatewayTarget
}

/**
 * Connects the client. The token is created first and the client's file written last, so that a failure can be undone
 * and the client never has an entry that does not work. Returns the path of the client file's backup.
 */
export async function carryOut(job: Job, plan: ConnectPlan): Promise<string | undefined> {
  const { client, file, flags, scope, expiresAt } = job
  const { seen, records, moved, agent, replaced } = plan
  const tokens = openTokens(job.context)
  const before = records.find(seen.path, file.block)
  const { token } = await tokens.mint(agent, scope, { expiresAt })
  const bytes = encode(seen, plan.textWith(plan.target(agent, token)))
  const made = { client: client.id, scope: file.scope, file: seen.path, block: file.block, name: job.name }
  const at = new Date().toISOString()
  let record: ConnectionRecord = { ...made, token: agent, after: digestOf(bytes), replaced, at }
  try {
    if (seen.bytes !== undefined) record = { ...record, backup: records.backUp(client.id, seen.bytes) }
    records.save(record)
    checkUnchanged(seen)
    if (moved !== undefined && moved.edits.length > 0)
      writeOwnConfig(openOwnConfig(flags, job.place), moved.edits, moved.secrets)
    replaceFile(seen, bytes)
  } catch (error) {
    await tokens.revoke(agent)
    records.forget(record, { keepBackup: false })
    throw error
  }
  // If the user removed the gateway's entry by hand, its token is still valid.
  if (before !== undefined) await revokeIfThere(tokens, before.token)
  return record.backup
}

export async function revokeIfThere(tokens: Tokens, name: string): Promise<void> {
  try {
    await tokens.revoke(name)
  } catch (error) {
    if (!hasCode(error, 'token_unknown')) throw error
  }
}

const STYLES = { added: 'green', removed: 'red' } as const
const SIGNS = { added: '+', removed: '-', same: ' ' } as const
const MAX_LINE = 400

export function renderChange(file: string, change: Change, tint: Paint = paint): string {
  const lines = showChange(change).map(({ kind, text }) => {
    if (kind === 'gap') return '    …'
    const line = `  ${SIGNS[kind]} ${revealLine(text.replaceAll('\t', '  '), MAX_LINE)}`.trimEnd()
    return kind === 'same' ? line : tint(STYLES[kind], line)
  })
  return [tint('bold', file), ...lines].join('\n')
}

export function plainChange(file: string, change: Change): string {
  return renderChange(file, change, (_, text) => text)
}

/** True if the user agrees, either with --yes or by answering a question on the terminal. Scripts are never asked. */
export async function agree({ yes, json }: AgreeFlags, question: string): Promise<boolean> {
  if (yes === true) return true
  return json !== true && isAttended() && confirm(question)
}

const BIN = fileURLToPath(new URL('../../../bin/hintgate.js', import.meta.url))
const ANSWER_MS = 2000
const ANYWHERE = /^(?:0\.0\.0\.0|::|\[::\])$/

export function chooseTarget(client: Client, flags: ConnectFlags, { config, path }: Context) {
  if (flags.stdio === true || (!client.speaksHttp && flags.url === undefined))
    return (agent: string): GatewayTarget => ({ kind: 'stdio', ...programOf(agent, flags, path) })
  if (!client.speaksHttp) throw invalidFlag('--url', `${client.title} supports only stdio; omit --url`)
  const url = `${flags.url === undefined ? addressOf(config) : readGatewayUrl(flags.url)}${endpointOf(flags)}`
  return (_: string, token: string): GatewayTarget => ({ kind: 'http', url, token })
}

function endpointOf({ set, direct }: ConnectFlags): string {
  if (set !== undefined) return `/mcp/sets/${encodeURIComponent(set)}`
  return direct === true ? '/mcp/direct' : '/mcp'
}

export function addressOf({ listen: { host, port }, tls }: Pick<Config, 'listen' | 'tls'>): string {
  if (port === 0) throw invalidFlag('--url', "the config uses any free port; give the gateway's address")
  const name = ANYWHERE.test(host) ? '127.0.0.1' : host
  return `${tls === undefined ? 'http' : 'https'}://${name.includes(':') && !name.startsWith('[') ? `[${name}]` : name}:${port}`
}

/** True if the gateway is running. */
export async function isAnswering(target: GatewayTarget): Promise<boolean> {
  if (target.kind === 'stdio') return true
  try {
    const { ok } = await fetch(new URL('/healthz', target.url), { signal: AbortSignal.timeout(ANSWER_MS) })
    return ok
  } catch {
    return false
  }
}

/**
 * Returns the command that starts the gateway. Every path in it is absolute, because clients start programs in any
 * folder and with their own PATH.
 */
function programOf(agent: string, flags: ConnectFlags, config: string | undefined) {
  const bin = realpathSync(BIN)
  // A path in npx's cache cannot be used, because npx deletes it later.
  const isPassing = /[/\\]_npx[/\\]/.test(bin)
  const start = isPassing ? ['npx', '-y', `@hintgate/gateway@${version()}`] : [process.execPath, bin]
  const [command = '', ...first] = start
  const place = [
    ...(config === undefined ? [] : ['--config', resolve(config)]),
    ...(flags.home === undefined ? [] : ['--home', resolve(flags.home)]),
    ...(flags.store === undefined ? [] : ['--store', flags.store]),
  ]
  const direct = flags.direct ? ['--direct'] : []
  const endpoint = flags.set === undefined ? direct : ['--set', flags.set]
  return { command, args: [...first, 'stdio', '--agent', agent, ...endpoint, ...place] }
}
