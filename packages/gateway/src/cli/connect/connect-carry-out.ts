import { hasCode } from '../../base/errors.ts'
import { type ClientText, checkUnchanged, encode, replaceFile } from '../../client-configs/client-file.ts'
import type { Way } from '../../client-configs/clients.ts'
import {
  type ConnectionRecord,
  type ConnectionRecords,
  digestOf,
} from '../../client-configs/connection-record.ts'
import { openOwnConfig, writeOwnConfig } from '../../client-configs/own-config.ts'
import type { ConfigImport } from '../../client-configs/plan-config-import.ts'
import { loadSecretKey } from '../../tokens/secret-key.ts'
import { createTokens, type Tokens } from '../../tokens/tokens.ts'
import type { Context } from '../terminal/context.ts'
import type { Job } from './connect-job.ts'

/** What was shown, and is now to be done. */
interface Deed {
  readonly seen: ClientText
  readonly records: ConnectionRecords
  readonly moved: ConfigImport | undefined
  readonly agent: string
  readonly replaced: readonly string[]
  readonly textWith: (way: Way) => string
  readonly way: (agent: string, token: string) => Way
}

/**
 * The token first, the client's file last: whatever fails in between is taken back, and a client never has an entry that
 * does not work. Says where the backup is.
 */
export async function carryOut(job: Job, deed: Deed): Promise<string | undefined> {
  const { client, file, flags, scope, expiresAt } = job
  const { seen, records, moved, agent, replaced } = deed
  const tokens = openTokens(job.context)
  const before = records.find(seen.path, file.block)
  const { token } = await tokens.mint(agent, scope, { expiresAt })
  const bytes = encode(seen, deed.textWith(deed.way(agent, token)))
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
  // Somebody took our entry out by hand; its token would live on.
  if (before !== undefined) await revokeIfThere(tokens, before.token)
  return record.backup
}

export function openTokens({ store, home, config }: Context): Tokens {
  return createTokens({ store, key: loadSecretKey(home), agentTokens: config.agentTokens })
}

export async function revokeIfThere(tokens: Tokens, name: string): Promise<void> {
  try {
    await tokens.revoke(name)
  } catch (error) {
    // Somebody has revoked it before us.
    if (!hasCode(error, 'token_unknown')) throw error
  }
}
