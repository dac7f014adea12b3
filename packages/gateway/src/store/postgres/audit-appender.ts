import type { Kysely } from 'kysely'
import type { AuditBatch, AuditRow, AuditSeal, AuditWriter } from '../audit-store.ts'
import type { Tables } from '../sqlite/schema.ts'
import { CompiledQuery, sql } from './kysely.ts'
import { inTransaction, lockOf } from './locks.ts'

/** Numbers without gaps, which a sequence of the database would not promise. */
export function registerWriter(
  db: Kysely<Tables>,
  { name, startedAt, place, pid, processStart, keyId }: AuditWriter,
): Promise<number> {
  return inTransaction(db, [lockOf('writers')], async transaction => {
    const { id } = await transaction
      .insertInto('audit_writers')
      .columns(['id', 'name', 'started_at', 'place', 'pid', 'process_start', 'key_id', 'seen_at'])
      .expression(sql`select coalesce(max(id), 0) + 1, ${name}, ${startedAt}::bigint, ${place}, ${pid}::bigint,
        ${processStart}, ${keyId}, ${startedAt}::bigint from hintgate.audit_writers`)
      .returning('id')
      .executeTakeFirstOrThrow()
    return id
  })
}

const TEXTS = [
  'kind',
  'request',
  'agent',
  'server',
  'tool',
  'variant',
  'verdict',
  'outcome',
  'code',
  'body',
  'prev',
  'hash',
] as const satisfies readonly (keyof AuditRow)[]

/** Written out once: it is on the path of every call. */
const APPEND = `select hintgate.append_audit($1, $2, $3, $4, $5::text[], $6::bigint[], $7::bigint[],
  ${TEXTS.map((_, index) => `$${index + 8}::text[]`).join(', ')}) as appended`

/** One trip: the function of migration 5 does it all, or fails. */
export async function appendRows(
  db: Kysely<Tables>,
  { writer, rows, head, openFrom, at, closes }: AuditBatch,
): Promise<boolean> {
  const seal = head === undefined ? null : [String(head.seq), head.hash, head.mac]
  const numbers = [rows.map(({ seq }) => seq), rows.map(row => row.at)]
  const texts = TEXTS.map(column => rows.map(row => row[column]))
  const parameters = [writer, closes ?? null, at, openFrom, seal, ...numbers, ...texts]
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

const PIECE = 10_000

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
    // A piece at a time: no statement may take long.
    for (let upTo = after + PIECE; upTo < seal.seq + PIECE; upTo += PIECE)
      await transaction
        .deleteFrom('audit_rows')
        .where('writer', '=', id)
        .where('seq', '<=', Math.min(upTo, seal.seq))
        .execute()
    return true
  })
}
