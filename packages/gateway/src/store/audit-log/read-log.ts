import type { Kysely } from 'kysely'
import type { AuditRow, AuditSlice } from '../audit-store.ts'
import type { Tables } from '../sql/schema.ts'
import { unpackRows } from './pack-rows.ts'

/** Finds the position up to which the log can be read without missing rows that are still being written. */
export interface VisibleEnd {
  /** Returns true if it is certain that no chunk up to this one is still being written. */
  covers(chunk: number): boolean
  /** Returns the last chunk up to which nothing is still being written. */
  find(): Promise<number>
}

export interface Reading {
  readonly after: string | undefined
  /** The number of rows to read. For a check, it is approximate. */
  readonly limit: number
  readonly visibleEnd: VisibleEnd
}

const SEVERAL = 8

/**
 * Reads rows in the order in which they were added. A cursor identifies the last row read by its chunk and its number.
 */
export async function readLog(
  db: Kysely<Tables>,
  { after, limit, visibleEnd }: Reading,
): Promise<AuditSlice> {
  const [start, seq] = readCursor(after)
  const rows: AuditRow[] = []
  let cursor = after ?? '0.0'
  for (let from = start; rows.length < limit; ) {
    const chunks = await readChunks(db, { from, count: SEVERAL, visibleEnd })
    for (const chunk of chunks) {
      const all = unpackRows(chunk.writer, chunk.rows)
      const next = (chunk.id === start ? all.filter(row => row.seq > seq) : all).slice(0, limit - rows.length)
      rows.push(...next)
      const reached = next.at(-1)
      if (reached !== undefined) cursor = `${chunk.id}.${reached.seq}`
    }
    if (chunks.length < SEVERAL) break
    from = (chunks.at(-1)?.id ?? from) + 1
  }
  return { rows, cursor }
}

interface ChunkRange {
  /** The first chunk to read. Undefined means to start at the beginning. */
  readonly from: number | undefined
  readonly count: number
  readonly visibleEnd: VisibleEnd
}

/**
 * Reads chunks. If a concurrent writer might have added a chunk before one that was read, the chunks are read again.
 */
export async function readChunks(db: Kysely<Tables>, { from, count, visibleEnd }: ChunkRange) {
  const all = db.selectFrom('audit_chunks').selectAll()
  const next = (from === undefined ? all : all.where('id', '>=', from)).orderBy('id').limit(count)
  const chunks = await next.execute()
  const last = chunks.at(-1)
  if (last === undefined || visibleEnd.covers(last.id)) return chunks
  return next.where('id', '<=', await visibleEnd.find()).execute()
}

/** Returns the cursor after a chunk, which must be the last one. */
export async function endOf(db: Kysely<Tables>, chunk: number): Promise<string> {
  const last = await db
    .selectFrom('audit_chunks')
    .select(['id', 'last_seq'])
    .where('id', '<=', chunk)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return last === undefined ? '0.0' : `${last.id}.${last.last_seq}`
}

function readCursor(cursor: string | undefined): [chunk: number, seq: number] {
  const [chunk = 0, seq = 0] = (cursor ?? '').split('.').map(Number)
  return [chunk, seq]
}
