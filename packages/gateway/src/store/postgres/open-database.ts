import type { Client } from 'pg'
import { HintgateError } from '../../base/errors.ts'
import { type Address, connectClient, readAddress } from './connect.ts'
import { LOCK, LOCKS } from './locks.ts'
import { MIGRATIONS, type Migration } from './migrations.ts'
import { translateError } from './postgres-errors.ts'

interface Opened {
  readonly client: Client
  readonly migrated: Migrated
}

export async function openDatabase(
  address: Address,
  migrations: readonly Migration[] = MIGRATIONS,
): Promise<Opened> {
  const client = await connectClient(address)
  try {
    return { client, migrated: await migrate(client, { store: address.store, migrations }) }
  } catch (error) {
    await client.end().catch(() => {})
    throw translateError(error, address.store)
  }
}

export async function migrateDatabase(url: string): Promise<Migrated & { readonly store: string }> {
  const address = readAddress(url)
  const { client, migrated } = await openDatabase(address)
  await client.end()
  return { store: address.store, ...migrated }
}

interface MigrateOptions {
  readonly store: string
  readonly migrations: readonly Migration[]
}

/** The schema versions before and after a migration. Zero means that the schema did not exist. */
export interface Migrated {
  readonly from: number
  readonly to: number
}

/**
 * The table with the schema's version. All tables are in the schema `hintgate`, so other programs can use the same
 * database.
 */
const MARK = 'hintgate.schema_version'

/** Migrates a database to the newest schema in one transaction. */
async function migrate(client: Client, options: MigrateOptions): Promise<Migrated> {
  const found = await findVersion(client, options)
  const to = options.migrations.length
  if (found === to) return { from: found, to }
  await client.query('begin')
  try {
    // The process that holds this lock migrates the schema. Others wait here, and then find nothing to do.
    await client.query(`select pg_advisory_xact_lock(${LOCKS}, ${LOCK.migrate})`)
    const from = await findVersion(client, options)
    if (from < to) await applyMigrations(client, from, options.migrations)
    await client.query('commit')
    return { from, to }
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  }
}

async function findVersion(client: Client, { store, migrations }: MigrateOptions): Promise<number> {
  const [place] = await rows<{ isMarked: boolean; isTaken: boolean }>(
    client,
    `select to_regclass('${MARK}') is not null as "isMarked", exists (
      select 1 from pg_class where relnamespace = (select oid from pg_namespace where nspname = 'hintgate')
    ) as "isTaken"`,
  )
  if (place?.isMarked !== true) {
    if (place?.isTaken === true) throw new HintgateError('store_foreign', { store })
    return 0
  }
  const [marked] = await rows<{ version: number }>(client, `select version from ${MARK}`)
  const found = marked?.version ?? 0
  if (found > migrations.length)
    throw new HintgateError('store_newer', { store, found, known: migrations.length })
  return found
}

async function applyMigrations(client: Client, from: number, all: readonly Migration[]): Promise<void> {
  if (from === 0) {
    await client.query('create schema if not exists hintgate')
    await client.query(`create table ${MARK} (version integer not null)`)
    await client.query(`insert into ${MARK} values (0)`)
  }
  for (const { version, statements, convert, afterwards = [] } of all.slice(from)) {
    await client.query(statements.join(';\n'))
    await convert?.(client)
    await client.query([...afterwards, `update ${MARK} set version = ${version}`].join(';\n'))
  }
}

async function rows<T>(client: Client, query: string): Promise<readonly T[]> {
  return (await client.query(query)).rows as T[]
}
