import { closeSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite'
import { createFolder } from '../../base/create-folder.ts'
import { HintgateError } from '../../base/errors.ts'
import { inTransaction } from './dialect.ts'
import { MIGRATIONS, type Migration } from './migrations.ts'
import { translateError } from './sqlite-errors.ts'

export interface OpenOptions {
  readonly busyTimeoutMs?: number
  readonly migrations?: readonly Migration[]
  readonly now?: () => number
}

/** Opens the database, which only this user can read, and migrates it to the newest schema. */
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

/** Opens the same database for commits that wait neither for the disk nor for locks. The caller handles both. */
export function openForCommits(file: string): DatabaseSyncInstance {
  try {
    const database = new DatabaseSync(file, { timeout: 0 })
    database.exec('pragma synchronous = normal; pragma foreign_keys = on')
    return database
  } catch (error) {
    throw translateError(error, file)
  }
}

/**
 * Creates the file readable by this user only; SQLite would create it readable by all. The -wal and -shm files inherit
 * these permissions.
 */
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

/** Configures the connection. With `synchronous = full`, a commit that was acknowledged survives a power failure. */
function configure(database: DatabaseSyncInstance): void {
  database.exec('pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on')
}

/** "HGAT" in ASCII. It marks the file as Hintgate's, and another program's database is never migrated. */
const APPLICATION_ID = 0x48474154

interface MigrateOptions {
  readonly file: string
  readonly migrations: readonly Migration[]
  readonly now: () => number
}

/** Migrates a database to the newest schema in one transaction. If it contains data, a backup is made first. */
function migrate(database: DatabaseSyncInstance, options: MigrateOptions): void {
  if (mayStayAsIs(database, options)) return
  // The process that holds the write lock migrates the schema. Others wait here, and then find nothing to do.
  inTransaction(database, () => {
    if (!mayStayAsIs(database, options)) applyMigrations(database, options)
  })
}

function mayStayAsIs(database: DatabaseSyncInstance, { file, migrations }: MigrateOptions): boolean {
  const found = readPragma(database, 'user_version')
  const owner = readPragma(database, 'application_id')
  const store = `sqlite:${file}`
  if (owner !== APPLICATION_ID) {
    if (owner === 0 && isEmpty(database)) return false
    throw new HintgateError('store_foreign', { store })
  }
  if (found > migrations.length)
    throw new HintgateError('store_newer', { store, found, known: migrations.length })
  return found === migrations.length
}

function applyMigrations(database: DatabaseSyncInstance, options: MigrateOptions): void {
  const from = readPragma(database, 'user_version')
  if (from > 0) backUp(from, options)
  for (const { version, statements, convert, afterwards = [] } of options.migrations.slice(from)) {
    for (const statement of statements) database.exec(statement)
    convert?.(database)
    for (const statement of afterwards) database.exec(statement)
    database.exec(`pragma user_version = ${version}`)
  }
  database.exec(`pragma application_id = ${APPLICATION_ID}`)
}

/** Backs up the state before the migration over a second connection, because VACUUM cannot run in a transaction. */
function backUp(version: number, { file, now }: MigrateOptions): void {
  const timestamp = new Date(now()).toISOString().replaceAll(/[:.]/g, '-')
  const copy = `${file}.backup-v${version}-${timestamp}`
  closeSync(openSync(copy, 'wx', 0o600))
  const reader = new DatabaseSync(file, { readOnly: true })
  try {
    reader.prepare('vacuum into ?').run(copy)
  } finally {
    reader.close()
  }
  forgetResults(copy)
}

/** Deletes stored results from a backup: results must expire, but a backup stays until someone deletes it. */
function forgetResults(copy: string): void {
  const database = new DatabaseSync(copy)
  try {
    const has = (table: string) =>
      database.prepare('select 1 from sqlite_schema where name = ?').get(table) !== undefined
    if (has('result_runs')) database.exec('delete from result_runs')
    if (has('results')) database.exec('delete from results; vacuum')
  } finally {
    database.close()
  }
}

function readPragma(database: DatabaseSyncInstance, name: 'user_version' | 'application_id'): number {
  const row = database.prepare(`pragma ${name}`).get() as Record<string, number>
  return row[name] ?? 0
}

function isEmpty(database: DatabaseSyncInstance): boolean {
  return database.prepare('select 1 from sqlite_schema limit 1').get() === undefined
}
