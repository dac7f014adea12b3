import type { Kysely } from 'kysely'
import { toChunks } from '../audit-log/chunk.ts'
import { unpackRows } from '../audit-log/pack-rows.ts'
import type { AuditBatch, AuditSeal, AuditWriter } from '../audit-store.ts'
import { CompiledQuery, sql } from '../sql/kysely.ts'
import type { Tables } from '../sql/schema.ts'
import { inTransaction, lockOf } from './locks.ts'
import { writeChunks } from './write-chunks.ts'

/** Numbers without gaps, which a sequence of the database would not promise. */
export function registerWriter(
  db: Kysely<Tables>,
  { name, startedAt, place, pid, processStart, keyId }: AuditWriter,
  sealStart: (id: number) => AuditSeal,
): Promise<number> {
  return inTransaction(db, [lockOf('writers')], async transaction => {
    const { last } = await transaction
      .selectFrom('audit_writers')
      .select(eb => eb.fn.max('id').as('last'))
      .executeTakeFirstOrThrow()
    const id = (last ?? 0) + 1
    const { seq, hash, mac } = sealStart(id)
    await sql`insert into hintgate.audit_writers (id, name, started_at, place, pid, process_start, key_id, seen_at,
        head_seq, head_hash, head_mac)
      values (${id}, ${name}, ${startedAt}, ${place}, ${pid}, ${processStart}, ${keyId}, ${startedAt},
        ${seq}, ${hash}, ${mac})`.execute(transaction)
    return id
  })
}

/** Written out once: it is on the path of every call. */
const APPEND = 'select hintgate.append_chunks($1, $2, $3, $4, $5::text[], $6, $7::jsonb, $8) as appended'

/** One trip: the function of migration 8 does it all, or fails. */
export async function appendRows(
  db: Kysely<Tables>,
  { writer, rows, head, openFrom, at, closes }: AuditBatch,
): Promise<boolean> {
  const seal = head === undefined ? null : [String(head.seq), head.hash, head.mac]
  const parameters = [writer, closes ?? null, at, openFrom, seal, rows.length, ...writeChunks(toChunks(rows))]
  const answer = await db.executeQuery<{ appended: boolean }>(CompiledQuery.raw(APPEND, parameters))
  return answer.rows[0]?.appended === true
}

export async function closeWriter(db: Kysely<Tables>, id: number, at: number): Promise<boolean> {
  const result = await db
    .updateTable('audit_writers')
    .set({ closed_at: at })
    .where('id', '=', id)
    .where('closed_at', 'is', null)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

interface Sealing {
  readonly id: number
  readonly after: number
  readonly seal: AuditSeal
}

export function sealRows(db: Kysely<Tables>, { id, after, seal }: Sealing): Promise<boolean> {
  return inTransaction(db, [], async transaction => {
    const marked = await transaction
      .updateTable('audit_writers')
      .set({ sealed_seq: seal.seq, sealed_hash: seal.hash, sealed_mac: seal.mac })
      .where('id', '=', id)
      .where('sealed_seq', '=', after)
      .where('head_seq', '>=', seal.seq)
      .executeTakeFirst()
    if (marked.numUpdatedRows === 0n) return false
    await forgetRows(transaction, id, seal.seq)
    return true
  })
}

/** Of a chunk that goes on behind the seal the rest stays where it was. */
async function forgetRows(db: Kysely<Tables>, writer: number, seq: number): Promise<void> {
  const chunks = db.selectFrom('audit_chunks').select(['id', 'rows']).where('writer', '=', writer)
  for (const { id, rows: text } of await chunks.where('first_seq', '<=', seq).orderBy('id').execute()) {
    const rows = unpackRows(writer, text)
    for (const { until, facets, spans } of toChunks(rows)) {
      await db.deleteFrom('audit_chunks').where('id', '=', id).execute()
      await sql`delete from hintgate.audit_facets where until = ${until}::bigint and chunk = ${id}::bigint
        and facet = any(${facets}::text[])`.execute(db)
      await sql`delete from hintgate.audit_spans where chunk = ${id}::bigint
        and series = any(${spans.map(({ series }) => series)}::text[])
        and last = any(${spans.map(({ last }) => last)}::bigint[])`.execute(db)
    }
    const [about, texts] = writeChunks(toChunks(rows.filter(row => row.seq > seq)))
    if (texts !== '')
      await sql`select hintgate.insert_chunks(${about}::jsonb, ${texts}, ${id}::bigint)`.execute(db)
  }
}
