import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import { countInMemory } from '../rate-limiters.ts'
import { createStores } from '../sql/create-stores.ts'
import type { SqlDatabase } from '../sql/database.ts'
import { Kysely } from '../sql/kysely.ts'
import { createPassageStore } from '../sql/passage-store.ts'
import type { Tables } from '../sql/schema.ts'
import type { Store } from '../store.ts'
import { createAuditStore } from './audit-store.ts'
import { watchChanges } from './changes.ts'
import { createDialect, createSteps, inOurWords } from './dialect.ts'
import { busyMsOf, type OpenOptions, openDatabase, openForCommits } from './open-database.ts'

/** Opens an embedded store in one file. Several processes can open the same file. */
export function openSqliteStore(file: string, options: OpenOptions = {}): Store {
  const database = openDatabase(file, options)
  const changes = watchChanges(database, file)
  const common = describeDatabase(database, file, changes.note)
  const { db } = common
  const audit = createAuditStore({ database: openForCommits(file), db, file, busyMs: busyMsOf(options) })
  return {
    ...createStores(common),
    // Passages are stored before a result is passed on, so waiting for the disk must not block other calls.
    passages: createPassageStore({ ...common, runSteps: (_, steps) => audit.runSteps(steps) }),
    audit,
    rates: countInMemory(),
    isShared: false,
    onChange: changes.onChange,
    version: changes.version,
    async close() {
      changes.close()
      await audit.close()
      moveIntoFile(database)
      await db.destroy()
      // Kysely closes only connections that it used itself. Prepared statements cannot be closed explicitly: SQLite
      // releases the file when they are garbage-collected or the process ends.
      if (database.isOpen) database.close()
    },
  }
}

export function describeDatabase(
  database: DatabaseSyncInstance,
  file: string,
  note: () => void,
): SqlDatabase {
  const db = new Kysely<Tables>({ dialect: createDialect(database, file) })
  const run = createSteps(database, db)
  return {
    db,
    schema: '',
    counter: 'rowid',
    // The lock is not needed, because SQLite has only one writer at a time.
    runSteps: async (_, steps) => inOurWords(file, () => run(steps())),
    note,
    names: { write: name => name, read: name => name },
  }
}

/**
 * Moves the log's content into the database file, so that a copy of this one file is complete. If another process still
 * uses the log, that process does it when it closes.
 */
function moveIntoFile(database: DatabaseSyncInstance): void {
  try {
    if (database.isOpen) database.exec('pragma wal_checkpoint(truncate)')
  } catch {
    // If this fails, the log stays next to the database file, so nothing is lost.
  }
}
