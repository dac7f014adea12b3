import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import type { Chunk } from '../audit-log/chunk.ts'

/** Mostly a chunk has one facet and one span: a list as JSON would take longer than to add them one by one. */
export function prepareChunks(database: DatabaseSyncInstance): (chunk: Chunk, id?: number) => void {
  const insert = database.prepare(
    `insert into audit_chunks (id, writer, first_seq, last_seq, since, until, endings, about, rows)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const addFacet = database.prepare(
    'insert into audit_facets (facet, until, since, chunk) values (?, ?, ?, ?)',
  )
  const addSpan = database.prepare('insert into audit_spans (series, first, last, chunk) values (?, ?, ?, ?)')
  return ({ writer, firstSeq, lastSeq, since, until, endings, about, rows, facets, spans }, id) => {
    const place = insert.run(id ?? null, writer, firstSeq, lastSeq, since, until, endings, about, rows)
    for (const facet of facets) addFacet.run(facet, until, since, place.lastInsertRowid)
    for (const { series, first, last } of spans) addSpan.run(series, first, last, place.lastInsertRowid)
  }
}

/** Forgets a chunk and everything that it is found by. */
export function prepareRemoval(database: DatabaseSyncInstance): (chunk: Chunk, id: number) => void {
  const remove = database.prepare('delete from audit_chunks where id = ?')
  const removeFacet = database.prepare('delete from audit_facets where facet = ? and until = ? and chunk = ?')
  const removeSpan = database.prepare(
    'delete from audit_spans where series = ? and last = ? and first = ? and chunk = ?',
  )
  return ({ until, facets, spans }, id) => {
    remove.run(id)
    for (const facet of facets) removeFacet.run(facet, until, id)
    for (const { series, first, last } of spans) removeSpan.run(series, last, first, id)
  }
}
