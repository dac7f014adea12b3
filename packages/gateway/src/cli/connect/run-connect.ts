import { MASKED } from '../../audit/mask.ts'
import { HintgateError } from '../../base/errors.ts'
import { type ClientText, checkWritable, guard, readClientText } from '../../client-configs/client-file.ts'
import { type Client, findClient, type GatewayTarget } from '../../client-configs/clients.ts'
import { ConnectionRecords } from '../../client-configs/connection-record.ts'
import { currentPlace, showFile } from '../../client-configs/place.ts'
import type { ConfigImport } from '../../client-configs/plan-config-import.ts'
import { changeOf, connectText, hasEntry } from '../../client-configs/plan-connect.ts'
import { revealLine } from '../show/review-text.ts'
import { showJson } from '../show/show-json.ts'
import { type Context, withStore } from '../terminal/context.ts'
import { type Ending, write } from '../terminal/output.ts'
import { parseExpiry, parseScope } from '../terminal/token-flags.ts'
import {
  agree,
  type ConnectFlags,
  carryOut,
  chooseAgent,
  chooseTarget,
  fileOf,
  isAnswering,
  type Job,
  namesOf,
  plainChange,
  planMove,
  renderChange,
} from './connect-job.ts'

const EVERYTHING = 'retrieve_tools,read,write,destructive'

export function runConnect(name: string, flags: ConnectFlags): Promise<Ending> {
  return withStore({ ...flags, skip: isUnneeded }, context => connect(findClient(name), flags, context))
}

/** True for parts of the config that connecting does not need. Their secrets are allowed to be missing. */
export function isUnneeded([section, , key]: readonly (string | number)[]): boolean {
  const isPart = key === 'token' || (section === 'toolsets' && key === 'overrides')
  return isPart || section === 'mcpServers' || section === 'guardrails' || section === 'policies'
}

async function connect(client: Client, flags: ConnectFlags, context: Context): Promise<Ending> {
  const place = currentPlace()
  const file = fileOf(client, flags.scope, place)
  const { set, permissions = EVERYTHING } = flags
  // Another gateway, at --url, can have other sets.
  const isHere = set !== undefined && flags.url === undefined
  if (isHere && !context.config.toolsets.some(one => one.name === set))
    throw new HintgateError('unknown_toolset', { set })
  const scope = parseScope({ ...flags, permissions, ...(set !== undefined && { sets: set }) })
  const expiresAt = flags.expires === undefined ? undefined : parseExpiry(flags.expires, Date.now())
  const job = { client, file, name: flags.name ?? 'hintgate', place, flags, context, scope, expiresAt }
  const seen = readClientText(client, file)
  const records = new ConnectionRecords(context.home)
  if (guard(seen.path, () => hasEntry(seen.text, job))) {
    if (records.find(seen.path, file.block)?.name !== job.name)
      throw new HintgateError('client_entry_taken', { file: seen.path, name: job.name })
    return sayConnected(job, seen)
  }
  checkWritable(seen)
  const moved = flags.replace ? planMove(job) : undefined
  const replaced = moved === undefined ? [] : namesOf(moved)
  const target = chooseTarget(client, flags, context)
  const agent = await chooseAgent(job)
  const textWith = (made: GatewayTarget) =>
    guard(seen.path, () => connectText(seen.text, { ...job, replaced }, made))
  const change = changeOf(client, seen.text, textWith(target(agent, `hg_agent_${MASKED}`)))
  const shown = showFile(seen.path, place)
  if (!flags.json) await write(`${renderChange(shown, change)}\n\n${describeMove(moved)}`)
  const isWanted = await agree(flags, `Write this to ${shown}?`)
  const backup = isWanted
    ? await carryOut(job, { seen, records, moved, agent, replaced, textWith, target })
    : undefined
  const isThere = await isAnswering(target(agent, ''))
  const report = {
    client: client.id,
    scope: file.scope,
    file: seen.path,
    name: job.name,
    token: agent,
    wrote: isWanted,
    connected: isWanted,
    answering: isThere,
    ...(backup !== undefined && { backup }),
    replaced,
    kept: moved?.skipped.filter(({ isThere }) => !isThere).map(({ name, why }) => ({ name, why })) ?? [],
    diff: plainChange(seen.path, change),
    next: client.afterwards,
  }
  const out = flags.json ? showJson(report) : conclude(job, { isWritten: isWanted, isThere, agent, backup })
  return { out }
}

function sayConnected({ client, name, flags }: Job, { path }: ClientText): Ending {
  const text = `${client.title} is already connected. To start over, run hintgate disconnect ${client.id}.\n`
  const report = { client: client.id, file: path, name, wrote: false, connected: true }
  return { out: flags.json ? showJson(report) : text }
}

function describeMove(moved: ConfigImport | undefined): string {
  if (moved === undefined) return ''
  const kept = moved.skipped
    .filter(({ isThere }) => !isThere)
    .map(({ name, why }) => `  ${revealLine(name, 80)}: ${revealLine(why)}\n`)
  const gone = namesOf(moved)
  return [
    gone.length === 0
      ? ''
      : `These servers will be moved behind the gateway, and their tools will wait for review: ${gone.map(name => revealLine(name, 80)).join(', ')}\n`,
    kept.length === 0 ? '' : `These servers stay in the client:\n${kept.join('')}`,
    '\n',
  ].join('')
}

interface Outcome {
  readonly isWritten: boolean
  /** True if the gateway is running. */
  readonly isThere: boolean
  readonly agent: string
  readonly backup: string | undefined
}

function conclude({ client, file }: Job, { isWritten, isThere, agent, backup }: Outcome): string {
  if (!isWritten) return 'Nothing was written. To apply the change, run the same command with --yes.\n'
  const lines = [
    `${client.title} is connected with the token ${agent}. ${client.afterwards}`,
    ...(isThere ? [] : ['The gateway is not running yet. Start it with hintgate serve.']),
    ...(backup === undefined ? [] : [`Backup of the file: ${showFile(backup, currentPlace())}`]),
    ...(file.scope === 'project'
      ? ["The file is in the project's folder and contains a token: do not commit it."]
      : []),
    `To undo this, run hintgate disconnect ${client.id}.`,
  ]
  return `${lines.join('\n')}\n`
}
