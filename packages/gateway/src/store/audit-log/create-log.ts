import type { Selectable } from 'kysely'
import type { AuditSeal, AuditStore, AuditWriter, StoredWriter } from '../audit-store.ts'
import { countOf, rowsOf, type SqlDatabase, type Steps } from '../sql/database.ts'
import { sql } from '../sql/kysely.ts'
import { fromRow, type Tables } from '../sql/schema.ts'
import { checkLog } from './check-log.ts'
import { type Chunk, toChunks } from './chunk.ts'
import { unpackRows } from './pack-rows.ts'
import { queryCalls } from './query-calls.ts'
import { endOf, readLog, type VisibleEnd } from './read-log.ts'
import { findOpen, findRows, readWriter } from './read-rows.ts'

type Database = Pick<SqlDatabase, 'db' | 'schema' | 'runSteps'>

/**
 * Creates an audit log in any database. Each database implements appending separately, because every call depends on
 * its speed.
 */
export function createLog(database: Database, visibleEnd: VisibleEnd): Omit<AuditStore, 'append'> {
  const { db, runSteps } = database
  return {
    register: (writer, sealStart) => runSteps('writers', () => register(database, writer, sealStart)),
    closeWriter: (id, at) => runSteps('rows', () => close(database, id, at)),
    seal: (id, after, seal) => runSteps('rows', () => forget(database, { id, after, seal })),
    async writers(which) {
      const all = db.selectFrom('audit_writers').selectAll().orderBy('id')
      const rows = await (which === undefined ? all : all.where('closed_at', 'is', null)).execute()
      return rows.map(toWriter)
    },
    query: request => queryCalls(db, request),
    open: writer => findOpen(db, writer),
    find: request => findRows(db, [request]),
    read: (after, limit) => readLog(db, { after, limit, visibleEnd }),
    check: (after, limit) => checkLog(db, { after, limit, visibleEnd }),
    end: async () => endOf(db, await visibleEnd.find()),
    readWriter: (writer, after, limit) => readWriter(db, { writer, after, limit }),
  }
}

/** Registers a writer. The numbers of writers have no gaps, which a database sequence would not guarantee. */
function* register(
  { db }: Database,
  { name, startedAt, place, pid, processStart, keyId }: AuditWriter,
  sealStart: (id: number) => AuditSeal,
): Steps<number> {
  const [found] = yield* rowsOf(db.selectFrom('audit_writers').select(eb => eb.fn.max('id').as('last')))
  const id = (found?.last ?? 0) + 1
  const { seq, hash, mac } = sealStart(id)
  yield db.insertInto('audit_writers').values({
    id,
    name,
    started_at: startedAt,
    place,
    pid,
    process_start: processStart,
    key_id: keyId,
    seen_at: startedAt,
    head_seq: seq,
    head_hash: hash,
    head_mac: mac,
  })
  return id
}

function* close({ db }: Database, id: number, at: number): Steps<boolean> {
  const writer = db.updateTable('audit_writers').where('id', '=', id).where('closed_at', 'is', null)
  return (yield* countOf(writer.set({ closed_at: at }))) > 0
}

interface Sealing {
  readonly id: number
  readonly after: number
  readonly seal: AuditSeal
}

function* forget(database: Database, { id, after, seal }: Sealing): Steps<boolean> {
  const { db } = database
  const { seq, hash, mac } = seal
  const marking = db
    .updateTable('audit_writers')
    .set({ sealed_seq: seq, sealed_hash: hash, sealed_mac: mac })
    .where('id', '=', id)
    .where('sealed_seq', '=', after)
    .where('head_seq', '>=', seq)
  if ((yield* countOf(marking)) === 0) return false
  const old = db.selectFrom('audit_chunks').select(['id', 'rows']).where('writer', '=', id)
  for (const { id: chunk, rows: text } of yield* rowsOf(old.where('first_seq', '<=', seq).orderBy('id'))) {
    const rows = unpackRows(id, text)
    for (const whole of toChunks(rows)) yield* forgetChunk(database, whole, chunk)
    // If the chunk goes on after the seal, the rows after the seal are kept.
    for (const rest of toChunks(rows.filter(row => row.seq > seq))) yield* keepChunk(database, rest, chunk)
  }
  return true
}

/** Deletes a chunk and its index entries. */
function* forgetChunk({ schema }: Database, { until, facets, spans }: Chunk, id: number): Steps<void> {
  const from = (table: string) => sql.raw(`${schema}${table}`)
  yield sql`delete from ${from('audit_chunks')} where id = ${id}`
  for (const facet of facets)
    yield sql`delete from ${from('audit_facets')} where facet = ${facet} and until = ${until} and chunk = ${id}`
  for (const { series, first, last } of spans)
    yield sql`delete from ${from('audit_spans')}
      where series = ${series} and last = ${last} and first = ${first} and chunk = ${id}`
}

function* keepChunk({ db }: Database, chunk: Chunk, id: number): Steps<void> {
  const { writer, firstSeq, lastSeq, since, until, endings, about, rows, facets, spans } = chunk
  yield db
    .insertInto('audit_chunks')
    .values({ id, writer, first_seq: firstSeq, last_seq: lastSeq, since, until, endings, about, rows })
  for (const facet of facets) yield db.insertInto('audit_facets').values({ facet, until, since, chunk: id })
  for (const span of spans) yield db.insertInto('audit_spans').values({ ...span, chunk: id })
}

function toWriter(row: Selectable<Tables['audit_writers']>): StoredWriter {
  const { head_seq, head_hash, head_mac, sealed_seq, sealed_hash, sealed_mac, ...about } = row
  const head = toSeal(head_seq, head_hash, head_mac)
  const sealed = toSeal(sealed_seq, sealed_hash, sealed_mac)
  return {
    ...fromRow<Omit<StoredWriter, 'head' | 'sealed'>>(about),
    ...(head && { head }),
    ...(sealed && { sealed }),
  }
}

/**
 * Reads a seal. Returns undefined only if all of its fields are empty, because the start of a chain (before its first
 * row) can be sealed, too.
 */
function toSeal(seq: number, hash: string, mac: string): AuditSeal | undefined {
  return seq === 0 && mac === '' ? undefined : { seq, hash, mac }
}
