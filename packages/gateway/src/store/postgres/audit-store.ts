import type { Kysely } from 'kysely'
import { type Chunk, toChunks } from '../audit-log/chunk.ts'
import { createLog } from '../audit-log/create-log.ts'
import type { VisibleEnd } from '../audit-log/read-log.ts'
import type { AuditBatch, AuditStore } from '../audit-store.ts'
import type { SqlDatabase } from '../sql/database.ts'
import { CompiledQuery, sql } from '../sql/kysely.ts'
import type { Tables } from '../sql/schema.ts'
import { lockOf } from './locks.ts'

export function createAuditStore(database: SqlDatabase): AuditStore {
  return {
    ...createLog(database, createVisibleEnd(database.db)),
    append: batch => append(database.db, batch),
  }
}

/** The SQL that appends a batch. It is a constant, because every call needs it. */
const APPEND = 'select hintgate.append_chunks($1, $2, $3, $4, $5::text[], $6, $7::jsonb, $8) as appended'

/**
 * Appends a batch in one round trip. The database function from migration 8 does all of the work, or fails as a whole.
 */
async function append(db: Kysely<Tables>, batch: AuditBatch): Promise<boolean> {
  const { writer, rows, head, openFrom, at, closes } = batch
  const seal = head === undefined ? null : [String(head.seq), head.hash, head.mac]
  const parameters = [writer, closes ?? null, at, openFrom, seal, rows.length, ...writeChunks(toChunks(rows))]
  const answer = await db.executeQuery<{ appended: boolean }>(CompiledQuery.raw(APPEND, parameters))
  return answer.rows[0]?.appended === true
}

/** Separates chunks in the text. Chunks never contain it, because their texts have no control characters. */
const BETWEEN_CHUNKS = '\u001d'

/**
 * Writes chunks in the form that the database functions from migration 8 expect. The rows are passed separately from
 * the JSON, because escaping would make them longer.
 */
export function writeChunks(chunks: readonly Chunk[]): [about: string, texts: string] {
  const about = chunks.map(({ rows: _, ...rest }) => rest)
  return [JSON.stringify(about), chunks.map(({ rows }) => rows).join(BETWEEN_CHUNKS)]
}

/**
 * Finds the position up to which the log can be read without missing a row. Ids are assigned before rows become
 * visible, so of two concurrent rows, the one with the higher id can become visible first. A reader that continued
 * after it would never see the row with the lower id.
 */
function createVisibleEnd(db: Kysely<Tables>): VisibleEnd {
  let known = 0
  return {
    covers: id => id <= known,
    /** Waits a few milliseconds until concurrent writers have finished, and blocks new writers in the meantime. */
    async find() {
      const last = await db.transaction().execute(async transaction => {
        await lockOf('audit').execute(transaction)
        const { rows } = await sql<{ id: number }>`
          select coalesce(max(id), 0) as id from hintgate.audit_chunks`.execute(transaction)
        return rows[0]?.id ?? 0
      })
      known = Math.max(known, last)
      return known
    },
  }
}
