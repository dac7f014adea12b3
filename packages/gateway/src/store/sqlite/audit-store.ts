import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import type { Kysely } from 'kysely'
import { createReads } from '../audit-log/create-reads.ts'
import type { AuditStore } from '../audit-store.ts'
import type { Tables } from '../sql/schema.ts'
import { createAppender } from './audit-appender.ts'
import { BUSY, PatientCommits } from './audit-commit.ts'
import { translateError } from './sqlite-errors.ts'

interface AuditStoreDeps {
  /** Open for commits, and ours to close. */
  readonly database: DatabaseSyncInstance
  readonly db: Kysely<Tables>
  readonly file: string
  /** How long to wait for another process that is writing. */
  readonly busyMs: number
}

export interface SqliteAuditStore extends AuditStore {
  close(): Promise<void>
}

export function createAuditStore({ database, db, file, busyMs }: AuditStoreDeps): SqliteAuditStore {
  const appender = createAppender(database)
  const commits = new PatientCommits(file, { busyMs, leaveLog: () => leaveLog(database) })

  async function write<T>(work: () => T): Promise<T> {
    try {
      return await commits.run(work)
    } catch (error) {
      throw translateError(error, file)
    }
  }

  return {
    // One writes at a time, so what can be seen is all that there is.
    ...createReads(db, { covers: () => true, find: async () => Number.MAX_SAFE_INTEGER }),
    register: (writer, sealStart) => write(() => appender.register(writer, sealStart)),
    append: batch => write(() => appender.append(batch)),
    closeWriter: (id, at) => write(() => appender.closeWriter(id, at)),
    seal: (id, after, seal) => write(() => appender.seal(id, after, seal)),
    async close() {
      await commits.close()
      if (database.isOpen) database.close()
    },
  }
}

function leaveLog(database: DatabaseSyncInstance): void {
  const moved = database.prepare('pragma wal_checkpoint(truncate)').get() as { readonly busy: number }
  // Whoever reads keeps the log: it will be let go of in a moment.
  if (moved.busy !== 0) throw Object.assign(new Error('the log of the database is in use'), { errcode: BUSY })
}
