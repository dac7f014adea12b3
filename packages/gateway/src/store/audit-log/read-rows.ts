import type { Kysely } from 'kysely'
import type { AuditRow } from '../audit-store.ts'
import type { Tables } from '../sql/schema.ts'
import { packedField, unpackRows } from './pack-rows.ts'
import { LONGEST, numberOf } from './request-spans.ts'

const SEVERAL = 16

/** Maximum number of request ids in one database query. */
const MOST_REQUESTS = 50

/** Returns all rows of some calls (or only rows of one kind), in the order in which they were written. */
export async function findRows(
  db: Kysely<Tables>,
  requests: readonly string[],
  kind?: AuditRow['kind'],
): Promise<AuditRow[]> {
  const ids = new Set<number>()
  for (let at = 0; at < requests.length; at += MOST_REQUESTS)
    for (const id of await findChunks(db, requests.slice(at, at + MOST_REQUESTS))) ids.add(id)
  const wanted = new Set(requests)
  const marks = {
    shape: kind === undefined ? [] : [packedField(kind)],
    row: requests.length === 1 ? requests.map(packedField) : [],
  }
  const rows: AuditRow[] = []
  const all = [...ids].sort((a, b) => a - b)
  for (let at = 0; at < all.length; at += SEVERAL) {
    const chunks = await db
      .selectFrom('audit_chunks')
      .select(['writer', 'rows'])
      .where('id', 'in', all.slice(at, at + SEVERAL))
      .orderBy('id')
      .execute()
    for (const { writer, rows: text } of chunks)
      rows.push(
        ...unpackRows(writer, text, marks).filter(
          row => wanted.has(row.request) && row.kind === (kind ?? row.kind),
        ),
      )
  }
  return rows
}

async function findChunks(db: Kysely<Tables>, requests: readonly string[]): Promise<number[]> {
  const found = await db
    .selectFrom('audit_spans')
    .select('chunk')
    .distinct()
    .where(eb =>
      eb.or(
        requests.map(request => {
          const { series, number } = numberOf(request)
          return eb.and([
            eb('series', '=', series),
            eb('last', '>=', number),
            // No span is longer than `LONGEST`, so the search does not need to look further.
            eb('last', '<=', number + LONGEST),
            eb('first', '<=', number),
          ])
        }),
      ),
    )
    .execute()
  return found.map(({ chunk }) => chunk)
}

/** Returns the intents that have no outcome, of one writer or of all open writers, oldest first. */
export async function findOpen(db: Kysely<Tables>, writer: number | undefined): Promise<AuditRow[]> {
  const writers = db.selectFrom('audit_writers').select(['id', 'open_from'])
  const whose =
    writer === undefined ? writers.where('closed_at', 'is', null) : writers.where('id', '=', writer)
  const open: AuditRow[] = []
  for (const { id, open_from: from } of await whose.orderBy('id').execute())
    open.push(...(await findUnended(db, id, from)))
  return open.sort((a, b) => a.at - b.at)
}

async function findUnended(db: Kysely<Tables>, writer: number, from: number): Promise<AuditRow[]> {
  const unended = new Map<string, AuditRow>()
  for (let after = from - 1; ; ) {
    const rows = await readWriter(db, { writer, after, limit: 2000 })
    for (const row of rows) {
      if (row.kind === 'intent') unended.set(row.request, row)
      else unended.delete(row.request)
    }
    const last = rows.at(-1)
    if (last === undefined) break
    after = last.seq
  }
  if (unended.size === 0) return []
  // Other writers might have ended these calls in their own chains.
  for (const { kind, request, writer: other } of await findRows(db, [...unended.keys()]))
    if (kind !== 'intent' && other !== writer) unended.delete(request)
  return [...unended.values()]
}

interface ChunkRange {
  readonly writer: number
  readonly after: number
  readonly limit: number
}

export async function readWriter(
  db: Kysely<Tables>,
  { writer, after, limit }: ChunkRange,
): Promise<AuditRow[]> {
  const rows: AuditRow[] = []
  for (let reached = after; ; ) {
    const chunks = await db
      .selectFrom('audit_chunks')
      .select(['last_seq', 'rows'])
      .where('writer', '=', writer)
      .where('last_seq', '>', reached)
      .orderBy('last_seq')
      .limit(SEVERAL)
      .execute()
    for (const chunk of chunks) rows.push(...unpackRows(writer, chunk.rows).filter(({ seq }) => seq > after))
    reached = chunks.at(-1)?.last_seq ?? reached
    if (chunks.length < SEVERAL || rows.length >= limit) return rows.slice(0, limit)
  }
}
