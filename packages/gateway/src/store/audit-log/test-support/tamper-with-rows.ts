import { DatabaseSync } from '@photostructure/sqlite'
import type { AuditRow } from '../../audit-store.ts'
import { prepareChunks } from '../../sqlite/audit-store.ts'
import { toChunks } from '../chunk.ts'
import { unpackRows } from '../pack-rows.ts'

type Database = InstanceType<typeof DatabaseSync>
type Numbered = AuditRow & { readonly id: number }

const COLUMNS = `writer, seq, at, kind, request, agent, server, tool, variant, verdict, outcome, code, body, prev, hash`

/**
 * Changes the log as an attacker with access to the file could. The SQL statements see every row in a table
 * `audit_rows`.
 */
export function tamperWithRows(file: string, ...statements: string[]): void {
  const database = new DatabaseSync(file)
  try {
    spread(database)
    for (const statement of statements) database.exec(statement)
    gather(database)
  } finally {
    database.close()
  }
}

/** Reads all rows of the log. */
export function readAllRows(file: string): AuditRow[] {
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    return readChunks(database).flatMap(({ writer, rows }) => unpackRows(writer, rows))
  } finally {
    database.close()
  }
}

function readChunks(database: Database) {
  const all = database.prepare('select id, writer, rows from audit_chunks order by id').all()
  return all as unknown as { readonly id: number; readonly writer: number; readonly rows: string }[]
}

function spread(database: Database): void {
  database.exec(`create temp table audit_rows (id integer primary key, ${COLUMNS})`)
  database.exec('create temp table homes (row integer primary key, chunk)')
  const marks = Array.from({ length: 15 }, () => '?').join(', ')
  const addRow = database.prepare(`insert into audit_rows (${COLUMNS}) values (${marks})`)
  const addHome = database.prepare('insert into homes values (?, ?)')
  for (const { id, writer, rows } of readChunks(database))
    for (const row of unpackRows(writer, rows)) {
      const values = COLUMNS.split(', ').map(column => row[column as keyof AuditRow])
      addHome.run(addRow.run(...values).lastInsertRowid, id)
    }
}

/** Packs those rows of a chunk that are still consecutive into one chunk again. */
function gather(database: Database): void {
  database.exec('delete from audit_chunks; delete from audit_facets; delete from audit_spans')
  const insert = prepareChunks(database)
  const rows = database.prepare('select * from audit_rows order by id').all() as unknown as Numbered[]
  const homes = new Map(
    (
      database.prepare('select row, chunk from homes').all() as unknown as { row: number; chunk: number }[]
    ).map(({ row, chunk }) => [row, chunk]),
  )
  let group: Numbered[] = []
  const flush = (): void => {
    for (const chunk of toChunks(group)) insert(chunk)
    group = []
  }
  for (const row of rows) {
    const before = group.at(-1)
    const home = homes.get(row.id)
    const isTogether =
      home !== undefined && home === homes.get(before?.id ?? -1) && row.writer === before?.writer
    if (!isTogether) flush()
    group.push(row)
  }
  flush()
}
