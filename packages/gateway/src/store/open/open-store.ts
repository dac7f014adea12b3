import { createRequire } from 'node:module'
import { HintgateError } from '../../base/errors.ts'
import type { Store } from '../store.ts'

/** Opens the store at an address such as `sqlite:/absolute/path` or `postgres://user@host/database`. */
export async function openStore(url: string): Promise<Store> {
  if (url.startsWith('sqlite:')) {
    const { openSqliteStore } = await import('../sqlite/sqlite-store.ts')
    return openSqliteStore(url.slice('sqlite:'.length))
  }
  if (/^postgres(?:ql)?:/.test(url)) {
    const { openPostgresStore } = await import('../postgres/postgres-store.ts')
    return openPostgresStore(url)
  }
  throw new HintgateError('store_unsupported', { store: withoutPassword(url) })
}

function withoutPassword(url: string): string {
  return url.replace(/\/\/[^@/]*@/, '//…@')
}

/**
 * The result of a migration: the store, with the schema versions before and after. Version zero means that the store
 * did not exist.
 */
export interface MigratedStore {
  /** The store's address, without a password. */
  readonly store: string
  readonly from: number
  readonly to: number
}

/** Migrates a store to the newest schema, as opening it would, and returns the versions before and after. */
export async function migrateStore(url: string): Promise<MigratedStore> {
  if (!url.startsWith('sqlite:') && /^postgres(?:ql)?:/.test(url)) {
    const { migrateDatabase } = await import('../postgres/open-database.ts')
    return migrateDatabase(url)
  }
  const from = readVersion(url)
  await (await openStore(url)).close()
  return { store: url, from, to: readVersion(url) }
}

/**
 * Reads the schema version. Returns zero for a file that cannot be read, because opening that file reports the problem.
 */
function readVersion(url: string): number {
  const { DatabaseSync } = loadSqlite()
  try {
    const database = new DatabaseSync(url.slice('sqlite:'.length), { readOnly: true })
    try {
      const row = database.prepare('pragma user_version').get() as { user_version: number }
      return row.user_version
    } finally {
      database.close()
    }
  } catch {
    return 0
  }
}

const require = createRequire(import.meta.url)

/** Loads the SQLite library only when it is needed, because its native part is slow to load. */
export function loadSqlite(): typeof import('@photostructure/sqlite') {
  return require('@photostructure/sqlite') as typeof import('@photostructure/sqlite')
}
