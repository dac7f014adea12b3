import { readFileSync } from 'node:fs'
import { attempt } from '../../base/attempt.ts'
import { HintgateError } from '../../base/errors.ts'
import {
  type ClientText,
  checkWritable,
  encode,
  guard,
  readClientText,
  removeFile,
  replaceFile,
} from '../../client-configs/client-file.ts'
import { type Client, type ClientFile, findClient } from '../../client-configs/clients.ts'
import { type ConnectionRecord, ConnectionRecords, digestOf } from '../../client-configs/connection-record.ts'
import { currentPlace, showFile } from '../../client-configs/place.ts'
import { changeOf, disconnectText } from '../../client-configs/plan-connect.ts'
import { showJson } from '../show/show-json.ts'
import { type Context, withStore } from '../terminal/context.ts'
import { type Ending, write } from '../terminal/output.ts'
import { openTokens } from '../terminal/token-flags.ts'
import { type AgreeFlags, agree, fileOf, plainChange, renderChange, revokeIfThere } from './connect-job.ts'
import { isUnneeded } from './run-connect.ts'

export function runDisconnect(name: string, flags: AgreeFlags): Promise<Ending> {
  return withStore({ ...flags, skip: isUnneeded }, context => disconnect(findClient(name), flags, context))
}

async function disconnect(client: Client, flags: AgreeFlags, context: Context): Promise<Ending> {
  const records = new ConnectionRecords(context.home)
  const found = findRecords(records, client, flags.scope)
  if (found.length === 0) throw new HintgateError('client_not_connected', { client: client.title })
  const steps = found.map(record => planStep(client, record))
  for (const { seen, change } of steps)
    if (!flags.json) await write(`${renderChange(showFile(seen.path, currentPlace()), change)}\n\n`)
  const isWanted = await agree(flags, 'Write this?')
  if (isWanted) for (const step of steps) await carryOut(step, records, context)
  const report = steps.map(({ record, way, change, seen }) => ({
    client: client.id,
    scope: record.scope,
    file: seen.path,
    token: record.token,
    wrote: isWanted,
    way,
    ...(isWanted && way === 'edited' && record.backup !== undefined && { backup: record.backup }),
    diff: plainChange(seen.path, change),
  }))
  return { out: flags.json ? showJson(report) : conclude(client, steps, isWanted) }
}

function findRecords(records: ConnectionRecords, client: Client, scope: string | undefined) {
  const place = currentPlace()
  const all = records.list(client.id)
  if (scope !== undefined) {
    const { path, block } = fileOf(client, scope, place)
    const record = records.find(readClientText(client, { path }).path, block)
    return record === undefined ? [] : [record]
  }
  // Only files of this project and of the user are changed, not those of other projects.
  const here = new Set(client.files(place).map(({ path }) => readClientText(client, { path }).path))
  return all.filter(({ file }) => here.has(file))
}

interface Step {
  readonly record: ConnectionRecord
  readonly seen: ClientText
  /**
   * How the file is disconnected. `restored`: byte for byte. `removed`: `connect` had created the file. `edited`: only
   * the gateway's entry is removed. `gone`: the file no longer exists.
   */
  readonly way: 'restored' | 'removed' | 'edited' | 'gone'
  /** The file's new content; undefined if the file is removed. */
  readonly bytes: Buffer | undefined
  readonly change: ReturnType<typeof changeOf>
}

function planStep(client: Client, record: ConnectionRecord): Step {
  const seen = readClientText(client, { path: record.file })
  const before = readBackup(record)
  const step = (way: Step['way'], bytes: Buffer | undefined, text: string): Step => {
    return { record, seen, way, bytes, change: changeOf(client, seen.text, text) }
  }
  if (seen.bytes === undefined) return step('gone', undefined, '')
  checkWritable(seen)
  if (digestOf(seen.bytes) === record.after && before !== undefined)
    return step('restored', before, decode(before))
  if (digestOf(seen.bytes) === record.after && record.backup === undefined)
    return step('removed', undefined, '')
  const file: ClientFile = { ...record, path: record.file }
  const text = guard(seen.path, () => disconnectText(seen.text, { ...record, client, file }, decode(before)))
  return step('edited', encode(seen, text), text)
}

function readBackup({ backup }: ConnectionRecord): Buffer | undefined {
  return backup === undefined ? undefined : attempt(() => readFileSync(backup))
}

function decode(bytes: Buffer | undefined): string {
  return bytes?.toString('utf8').replace('\uFEFF', '') ?? ''
}

/** Carries out a step. The client's file is changed first, because an entry must not outlive its token. */
async function carryOut(step: Step, records: ConnectionRecords, context: Context): Promise<void> {
  const { record, seen, way, bytes } = step
  if (bytes !== undefined) replaceFile(seen, bytes)
  else if (way === 'removed') removeFile(seen)
  await revokeIfThere(openTokens(context), record.token)
  records.forget(record, { keepBackup: way === 'edited' })
}

const RESULTS = {
  restored: 'was restored byte for byte',
  removed: 'was removed, because hintgate connect had created it',
  edited: "had changed, so only the gateway's entry was removed",
  gone: 'no longer exists',
} as const

function conclude(client: Client, steps: readonly Step[], isWritten: boolean): string {
  if (!isWritten) return 'Nothing was written. To apply the change, run the same command with --yes.\n'
  const lines = steps.map(
    ({ seen, way, record }) =>
      `${showFile(seen.path, currentPlace())} ${RESULTS[way]}. The token ${record.token} is revoked.`,
  )
  return `${client.title} is disconnected.\n${lines.join('\n')}\n`
}
