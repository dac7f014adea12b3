import { closeSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite'
import { createFolder } from '../../base/create-folder.ts'
import { HintgateError } from '../../base/errors.ts'
import { migrate } from './migrate.ts'
import { MIGRATIONS, type Migration } from './migrations.ts'
import { translateError } from './sqlite-errors.ts'

export interface OpenOptions {
  /** How long to wait for another process that is writing. */
  readonly busyTimeoutMs?: number
  readonly migrations?: readonly Migration[]
  readonly now?: () => number
}

/** The database, private to this user, in its newest schema. */
export function openDatabase(file: string, options: OpenOptions = {}): DatabaseSyncInstance {
  createPrivately(file)
  let database: DatabaseSyncInstance | undefined
  try {
    database = new DatabaseSync(file, { timeout: busyMsOf(options) })
    configure(database)
    migrate(database, { file, migrations: options.migrations ?? MIGRATIONS, now: options.now ?? Date.now })
    return database
  } catch (error) {
    database?.close()
    throw translateError(error, file)
  }
}

export function busyMsOf({ busyTimeoutMs = 5000 }: OpenOptions): number {
  return busyTimeoutMs
}

/** The same database, for commits that wait neither for the disk nor for others: whoever makes them sees to both. */
export function openForCommits(file: string): DatabaseSyncInstance {
  try {
    const database = new DatabaseSync(file, { timeout: 0 })
    database.exec('pragma synchronous = normal; pragma foreign_keys = on')
    return database
  } catch (error) {
    throw translateError(error, file)
  }
}

/** SQLite would make the file readable to all; its -wal and -shm files take over the mode of the file. */
function createPrivately(file: string): void {
  try {
    createFolder(dirname(file), 0o700)
    closeSync(openSync(file, 'a', 0o600))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const isReadOnly = code === 'EACCES' || code === 'EROFS' || code === 'EPERM'
    const payload = { store: `sqlite:${file}`, why: String(code) }
    throw new HintgateError(isReadOnly ? 'store_read_only' : 'store_unavailable', payload, { cause: error })
  }
}

/** FULL: a commit that was acknowledged survives a loss of power. */
function configure(database: DatabaseSyncInstance): void {
  database.exec('pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on')
}
