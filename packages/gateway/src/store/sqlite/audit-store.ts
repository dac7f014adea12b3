import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import type { Kysely } from 'kysely'
import { type Chunk, toChunks } from '../audit-log/chunk.ts'
import { createLog } from '../audit-log/create-log.ts'
import type { AuditBatch, AuditStore } from '../audit-store.ts'
import type { Steps } from '../sql/database.ts'
import type { Tables } from '../sql/schema.ts'
import { AsyncCommits, BUSY } from './audit-commit.ts'
import { createSteps, inTransaction } from './dialect.ts'
import { translateError } from './sqlite-errors.ts'

interface AuditStoreDeps {
  /** An open connection that is used for commits. This store closes it. */
  readonly database: DatabaseSyncInstance
  readonly db: Kysely<Tables>
  readonly file: string
  readonly busyMs: number
}

export interface SqliteAuditStore extends AuditStore {
  /**
   * Runs steps on the same connection. Changes are durable when the promise resolves, without blocking the thread on the
   * disk.
   */
  runSteps<T>(steps: () => Steps<T>): Promise<T>
  close(): Promise<void>
}

export function createAuditStore({ database, db, file, busyMs }: AuditStoreDeps): SqliteAuditStore {
  const append = prepareAppend(database)
  const run = createSteps(database, db)
  const commits = new AsyncCommits(file, { busyMs, checkpoint: () => checkpoint(database) })

  async function write<T>(work: () => T): Promise<T> {
    try {
      return await commits.run(work)
    } catch (error) {
      throw translateError(error, file)
    }
  }

  const runSteps = <T>(steps: () => Steps<T>): Promise<T> => write(() => run(steps()))

  return {
    ...createLog(
      { db, schema: '', runSteps: (_, steps) => runSteps(steps) },
      // SQLite has only one writer at a time, so all rows up to the newest visible one are complete.
      { covers: () => true, find: async () => Number.MAX_SAFE_INTEGER },
    ),
    runSteps,
    append: batch => write(() => inTransaction(database, () => append(batch))),
    async close() {
      await commits.close()
      if (database.isOpen) database.close()
    },
  }
}

/** Prepares the statements that append a batch. They bypass Kysely for speed, because every call appends. */
function prepareAppend(database: DatabaseSyncInstance): (batch: AuditBatch) => boolean {
  const insert = prepareChunks(database)
  // A writer that appends is alive, so it is marked as open again, even if another process took it for dead.
  const advance = database.prepare(
    `update audit_writers set head_seq = ?, head_hash = ?, head_mac = ?, open_from = ?, seen_at = ?, closed_at = null
     where id = ? and head_seq = ?`,
  )
  const touch = database.prepare(
    'update audit_writers set open_from = ?, seen_at = ?, closed_at = null where id = ?',
  )
  const close = database.prepare('update audit_writers set closed_at = ? where id = ? and closed_at is null')

  return ({ writer, rows, head, openFrom, at, closes }) => {
    if (closes !== undefined && close.run(at, closes).changes === 0) return false
    for (const chunk of toChunks(rows)) insert(chunk)
    const { changes } =
      head === undefined
        ? touch.run(openFrom, at, writer)
        : advance.run(head.seq, head.hash, head.mac, openFrom, at, writer, head.seq - rows.length)
    if (changes !== 1) throw new Error(`the audit rows do not follow the last row of writer ${writer}`)
    return true
  }
}

/**
 * Prepares the statements that add a chunk. Its facets and spans are inserted one by one, because a chunk usually has
 * one of each, and passing a list as JSON would take longer.
 */
export function prepareChunks(database: DatabaseSyncInstance): (chunk: Chunk) => void {
  const insert = database.prepare(
    `insert into audit_chunks (writer, first_seq, last_seq, since, until, endings, about, rows)
     values (?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const addFacet = database.prepare(
    'insert into audit_facets (facet, until, since, chunk) values (?, ?, ?, ?)',
  )
  const addSpan = database.prepare('insert into audit_spans (series, first, last, chunk) values (?, ?, ?, ?)')
  return ({ writer, firstSeq, lastSeq, since, until, endings, about, rows, facets, spans }) => {
    const place = insert.run(writer, firstSeq, lastSeq, since, until, endings, about, rows)
    for (const facet of facets) addFacet.run(facet, until, since, place.lastInsertRowid)
    for (const { series, first, last } of spans) addSpan.run(series, first, last, place.lastInsertRowid)
  }
}

function checkpoint(database: DatabaseSyncInstance): void {
  const moved = database.prepare('pragma wal_checkpoint(truncate)').get() as { readonly busy: number }
  // The log is still in use by a reader, which will finish soon.
  if (moved.busy !== 0) throw Object.assign(new Error('the database log is in use'), { errcode: BUSY })
}
