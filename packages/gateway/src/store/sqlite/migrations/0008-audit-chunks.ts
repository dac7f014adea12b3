import { convertRows } from './convert-audit-rows.ts'
import type { Migration } from './migration.ts'

/**
 * The audit log in chunks: a batch of rows is one row here, because handing fifteen values to the database for each of
 * them was most of what recording a call cost (docs/decisions/0022). Chunks are found by what is in them.
 */
export const auditChunks: Migration = {
  version: 8,
  statements: [
    `create table audit_chunks (
      id integer not null primary key autoincrement,
      writer integer not null,
      first_seq integer not null,
      last_seq integer not null,
      since integer not null,
      until integer not null,
      endings integer not null,
      about text not null,
      rows text not null
    ) strict`,
    'create index audit_chunks_by_chain on audit_chunks (writer, last_seq)',
    'create index audit_chunks_by_time on audit_chunks (until, id, since, about) where endings > 0',
    `create table audit_facets (
      facet text not null,
      until integer not null,
      chunk integer not null,
      since integer not null,
      primary key (facet, until, chunk)
    ) strict, without rowid`,
    `create table audit_spans (
      series text not null,
      last integer not null,
      first integer not null,
      chunk integer not null,
      primary key (series, last, first, chunk)
    ) strict, without rowid`,
  ],
  convert: convertRows,
  afterwards: ['drop table audit_rows'],
}
