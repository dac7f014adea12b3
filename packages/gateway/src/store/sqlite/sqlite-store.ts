import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import { countInMemory } from '../rate-limiters.ts'
import { createApprovalStore } from '../sql/approval-store.ts'
import { createEraStore } from '../sql/era-store.ts'
import { Kysely } from '../sql/kysely.ts'
import type { Tables } from '../sql/schema.ts'
import { createSecretStore } from '../sql/secret-store.ts'
import { createTokenStore } from '../sql/token-store.ts'
import type { Store } from '../store.ts'
import { createAuditStore } from './audit-store.ts'
import { watchChanges } from './changes.ts'
import { createDefinitionStore } from './definition-store.ts'
import { createDialect } from './dialect.ts'
import { busyMsOf, type OpenOptions, openDatabase, openForCommits } from './open-database.ts'
import { createOverrideStore } from './override-store.ts'
import { createResultStore } from './result-store.ts'
import { createSessionStore } from './session-store.ts'

/** Everything in one file, embedded; several processes may have it open at once. */
export function openSqliteStore(file: string, options: OpenOptions = {}): Store {
  const database = openDatabase(file, options)
  const db = new Kysely<Tables>({ dialect: createDialect(database, file) })
  const changes = watchChanges(database, file)
  const audit = createAuditStore({ database: openForCommits(file), db, file, busyMs: busyMsOf(options) })
  return {
    tokens: createTokenStore(db, changes.note),
    eras: createEraStore(db, changes.note),
    results: createResultStore({ database, db, file }),
    definitions: createDefinitionStore({ database, db, file, note: changes.note }),
    overrides: createOverrideStore({ database, db, file, note: changes.note }),
    approvals: createApprovalStore(db, changes.note),
    sessions: createSessionStore(db, changes.note),
    audit,
    rates: countInMemory(),
    secrets: createSecretStore(db, changes.note),
    isShared: false,
    onChange: changes.onChange,
    version: changes.version,
    async close() {
      changes.close()
      await audit.close()
      moveIntoFile(database)
      await db.destroy()
      // Kysely closes only what it has used. Prepared statements cannot be finalised by hand: SQLite lets go
      // of the file when they are collected, or the process ends.
      if (database.isOpen) database.close()
    },
  }
}

/** So that a copy of the one file is a copy of everything. Somebody else may be at it, and then they will do so. */
function moveIntoFile(database: DatabaseSyncInstance): void {
  try {
    if (database.isOpen) database.exec('pragma wal_checkpoint(truncate)')
  } catch {
    // The log stays beside the file, and nothing in it is lost.
  }
}
