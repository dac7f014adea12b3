import { createRequire } from 'node:module'
import { HintgateError } from '../../base/errors.ts'
import type { Store } from '../store.ts'

/** Opens the store that an address names: `sqlite:/absolute/path` or `postgres://user@host/database`. */
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

/** A store and the versions of its schema. Zero: there was none. */
export interface MigratedStore {
  /** Its address, without a password. */
  readonly store: string
  readonly from: number
  readonly to: number
}

/** Brings a store to the newest schema, which opening it would do as well, and says what there was to do. */
export async function migrateStore(url: string): Promise<MigratedStore> {
  if (!url.startsWith('sqlite:') && /^postgres(?:ql)?:/.test(url)) {
    const { migrateDatabase } = await import('../postgres/open-database.ts')
    return migrateDatabase(url)
  }
  const from = readVersion(url)
  await (await openStore(url)).close()
  return { store: url, from, to: readVersion(url) }
}

/** What cannot be read has no version; opening it will say what is wrong. */
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

/** For those who mostly do not need it: the native part takes its time to load. */
export function loadSqlite(): typeof import('@photostructure/sqlite') {
  return require('@photostructure/sqlite') as typeof import('@photostructure/sqlite')
}
