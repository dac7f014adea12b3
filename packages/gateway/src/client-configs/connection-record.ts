import { createHash, randomUUID } from 'node:crypto'
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { attempt } from '../base/attempt.ts'
import { createFolder } from '../base/create-folder.ts'
import { HintgateError } from '../base/errors.ts'
import { isJsonObject } from '../protocol/messages.ts'
import type { ClientScope } from './clients.ts'

/** The record of how `connect` changed a client's file, so that `disconnect` can undo the change. */
export interface ConnectionRecord {
  readonly client: string
  readonly scope: ClientScope
  readonly file: string
  readonly block: readonly string[]
  /** The name of the gateway's entry. */
  readonly name: string
  /** The name of the client's token. */
  readonly token: string
  /** The digest of the file after the change. */
  readonly after: string
  /** The path of a copy of the file before the change; undefined if there was no file. */
  readonly backup?: string
  /** The names of the servers that were moved from the client's file to the gateway's config. */
  readonly replaced: readonly string[]
  readonly at: string
}

export function digestOf(bytes: Buffer | string): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** The connection records in a home folder, each in a file that only this user can read. */
export class ConnectionRecords {
  readonly #folder: string

  constructor(home: string) {
    this.#folder = join(home, 'connections')
  }

  list(client: string): readonly ConnectionRecord[] {
    const files = attempt(() => readdirSync(this.#folder)) ?? []
    const records = files
      .filter(file => file.endsWith('.json'))
      .flatMap(file => readRecord(join(this.#folder, file)) ?? [])
    return records.filter(record => record.client === client)
  }

  find(file: string, block: readonly string[]): ConnectionRecord | undefined {
    return readRecord(this.#pathOf({ file, block }))
  }

  save(record: ConnectionRecord): void {
    this.#write(this.#pathOf(record), `${JSON.stringify(record, undefined, 2)}\n`)
  }

  forget(record: ConnectionRecord, { keepBackup }: { readonly keepBackup: boolean }): void {
    removeQuietly(this.#pathOf(record))
    if (record.backup !== undefined && !keepBackup) removeQuietly(record.backup)
  }

  backUp(client: string, bytes: Buffer): string {
    const name = `${client}-${digestOf(bytes).slice(0, 12)}-${randomUUID().slice(0, 8)}.backup`
    const path = join(this.#folder, name)
    this.#write(path, bytes)
    return path
  }

  #pathOf({ file, block }: Pick<ConnectionRecord, 'file' | 'block'>): string {
    const digest = digestOf(JSON.stringify([file, block]))
    return join(this.#folder, `${digest.slice(0, 24)}.json`)
  }

  #write(path: string, content: string | Buffer): void {
    try {
      createFolder(this.#folder, 0o700)
      const draft = `${path}.${randomUUID()}.tmp`
      writeFileSync(draft, content, { mode: 0o600, flag: 'wx', flush: true })
      renameSync(draft, path)
    } catch (error) {
      const why = (error as NodeJS.ErrnoException).code ?? String(error)
      throw new HintgateError('home_unwritable', { file: this.#folder, why }, { cause: error })
    }
  }
}

/**
 * Removes a file and ignores failures. A private file that is left over is harmless, and the rest of the undo must
 * continue.
 */
function removeQuietly(file: string): void {
  attempt(() => rmSync(file, { force: true }))
}

/** Reads a record. An unreadable record counts as missing. */
function readRecord(path: string): ConnectionRecord | undefined {
  const value: unknown = attempt(() => JSON.parse(readFileSync(path, 'utf8')) as unknown)
  return isRecord(value) ? value : undefined
}

function isRecord(value: unknown): value is ConnectionRecord {
  return (
    isJsonObject(value) &&
    ['client', 'scope', 'file', 'name', 'token', 'after'].every(key => typeof value[key] === 'string') &&
    Array.isArray(value.block) &&
    Array.isArray(value.replaced)
  )
}
