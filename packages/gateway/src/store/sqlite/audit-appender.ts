import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import { toChunks } from '../audit-log/chunk.ts'
import { unpackRows } from '../audit-log/pack-rows.ts'
import type { AuditBatch, AuditSeal, AuditWriter } from '../audit-store.ts'
import { prepareChunks, prepareRemoval } from './insert-chunk.ts'
import { inTransaction } from './transaction.ts'

/** The writes, on the bare database: they are on the path of every call. */
export interface AuditAppender {
  register(writer: AuditWriter, sealStart: (id: number) => AuditSeal): number
  append(batch: AuditBatch): boolean
  closeWriter(id: number, at: number): boolean
  seal(id: number, after: number, seal: AuditSeal): boolean
}

export function createAppender(database: DatabaseSyncInstance): AuditAppender {
  const register = prepareRegister(database)
  const insert = prepareChunks(database)
  // Whoever writes is there, whatever others thought.
  const advance = database.prepare(
    `update audit_writers set head_seq = ?, head_hash = ?, head_mac = ?, open_from = ?, seen_at = ?, closed_at = null
     where id = ? and head_seq = ?`,
  )
  const touch = database.prepare(
    'update audit_writers set open_from = ?, seen_at = ?, closed_at = null where id = ?',
  )
  const close = database.prepare('update audit_writers set closed_at = ? where id = ? and closed_at is null')
  const seal = prepareSeal(database)

  function store({ writer, rows, head, openFrom, at }: AuditBatch): void {
    for (const chunk of toChunks(rows)) insert(chunk)
    const isFollowing =
      head === undefined
        ? touch.run(openFrom, at, writer).changes === 1
        : advance.run(head.seq, head.hash, head.mac, openFrom, at, writer, head.seq - rows.length).changes ===
          1
    if (!isFollowing) throw new Error(`the audit rows do not follow the last row of writer ${writer}`)
  }

  return {
    register: (writer, sealStart) => inTransaction(database, () => register(writer, sealStart)),
    append: batch =>
      inTransaction(database, () => {
        if (batch.closes !== undefined && close.run(batch.at, batch.closes).changes === 0) return false
        store(batch)
        return true
      }),
    closeWriter: (id, at) => close.run(at, id).changes > 0,
    seal: (id, after, upTo) => inTransaction(database, () => seal(id, after, upTo)),
  }
}

function prepareRegister(database: DatabaseSyncInstance): AuditAppender['register'] {
  // Without gaps, which a sequence of the database would not promise.
  const count = database.prepare('select coalesce(max(id), 0) + 1 as next from audit_writers')
  const insert = database.prepare(
    `insert into audit_writers (id, name, started_at, place, pid, process_start, key_id, seen_at, head_seq, head_hash,
       head_mac)
     values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?3, ?8, ?9, ?10)`,
  )
  return ({ name, startedAt, place, pid, processStart, keyId }, sealStart) => {
    const { next: id } = count.get() as { readonly next: number }
    const { seq, hash, mac } = sealStart(id)
    insert.run(id, name, startedAt, place, pid, processStart, keyId, seq, hash, mac)
    return id
  }
}

function prepareSeal(database: DatabaseSyncInstance): AuditAppender['seal'] {
  const mark = database.prepare(
    `update audit_writers set sealed_seq = ?, sealed_hash = ?, sealed_mac = ?
     where id = ? and sealed_seq = ? and head_seq >= ?`,
  )
  const find = database.prepare('select id, rows from audit_chunks where writer = ? and first_seq <= ?')
  const insert = prepareChunks(database)
  const remove = prepareRemoval(database)
  return (id, after, { seq, hash, mac }) => {
    if (mark.run(seq, hash, mac, id, after, seq).changes === 0) return false
    for (const chunk of find.all(id, seq) as unknown as { id: number; rows: string }[]) {
      const rows = unpackRows(id, chunk.rows)
      for (const whole of toChunks(rows)) remove(whole, chunk.id)
      // Of a chunk that goes on behind the seal the rest stays where it was.
      for (const rest of toChunks(rows.filter(row => row.seq > seq))) insert(rest, chunk.id)
    }
    return true
  }
}
