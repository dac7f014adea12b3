import type { Kysely as Database, Insertable } from 'kysely'
import { HintgateError } from '../../base/errors.ts'
import { toChunks } from '../audit-log/chunk.ts'
import { unpackRows } from '../audit-log/pack-rows.ts'
import { Kysely, sql } from '../sql/kysely.ts'
import type { Tables } from '../sql/schema.ts'
import { createDialect as createSqliteDialect } from '../sqlite/dialect.ts'
import { openDatabase as openSqlite } from '../sqlite/open-database.ts'
import { writeChunks } from './audit-store.ts'
import { createDialect, createPool, readAddress } from './connect.ts'
import { withoutNul } from './nul.ts'
import { openDatabase } from './open-database.ts'

export type Copied = Readonly<Record<CopiedTable | 'audit_rows', number>>

/** The tables to copy. Stored results are not copied, because they expire soon anyway. */
const TABLES = [
  'tokens',
  'token_uses',
  'eras',
  'definitions',
  'definition_versions',
  'overrides',
  'override_history',
  'approvals',
  'approval_votes',
  'notifications',
  'push_subscribers',
  'tasks',
  'sessions',
  'passages',
  'secrets',
  'audit_writers',
] as const
type CopiedTable = (typeof TABLES)[number]

const CHUNKS = 'audit_chunks'
/** The tables that must be empty before the copy, and that are locked during it. */
const TARGETS = [...TABLES, CHUNKS] as const

/** Tables whose rows are numbered. The copy assigns new numbers in the same order. */
const NUMBERED: ReadonlySet<CopiedTable> = new Set(['override_history', 'passages'])
const SLICE = 1000
const SOME_CHUNKS = 16

/** Copies a SQLite store to an empty database, completely or not at all. */
export async function copyFromSqlite(file: string, url: string): Promise<Copied> {
  const address = readAddress(url)
  const source = new Kysely<Tables>({ dialect: createSqliteDialect(openSqlite(file), file) })
  try {
    const { client } = await openDatabase(address)
    await client.end()
    const pool = createPool(address, 'long')
    const target = new Kysely<Tables>({ dialect: createDialect(pool, address.store) }).withSchema('hintgate')
    try {
      // The source may be in use, so one transaction reads a consistent snapshot of it.
      return await source
        .transaction()
        .execute(from => target.transaction().execute(to => copyTables(from, to, address.store)))
    } finally {
      await target.destroy()
      await pool.end()
    }
  } finally {
    await source.destroy()
  }
}

async function copyTables(from: Database<Tables>, to: Database<Tables>, store: string): Promise<Copied> {
  await sql
    .raw(`lock table ${TARGETS.map(table => `hintgate.${table}`).join(', ')} in exclusive mode`)
    .execute(to)
  for (const table of TARGETS)
    if ((await to.selectFrom(table).select(sql`1`.as('one')).limit(1).execute()).length > 0)
      throw new HintgateError('store_not_empty', { store, why: `there are ${table.replaceAll('_', ' ')}` })
  const counts: [string, number][] = []
  for (const table of TABLES) counts.push([table, await copyTable(from, to, table)])
  counts.push(['audit_rows', await copyLog(from, to)])
  return Object.fromEntries(counts) as Copied
}

/** Copies the audit log. Its chunks get new numbers in the same order, and the index over them is rebuilt. */
async function copyLog(from: Database<Tables>, to: Database<Tables>): Promise<number> {
  let count = 0
  let after = 0
  for (;;) {
    const next = from.selectFrom(CHUNKS).select(['id', 'writer', 'rows']).where('id', '>', after)
    const found = await next.orderBy('id').limit(SOME_CHUNKS).execute()
    if (found.length === 0) return count
    const chunks = found.flatMap(({ writer, rows }) => toChunks(unpackRows(writer, rows)))
    const [about, texts] = writeChunks(chunks)
    await sql`select hintgate.insert_chunks(${about}::jsonb, ${texts})`.execute(to)
    count += chunks.reduce((sum, { firstSeq, lastSeq }) => sum + lastSeq - firstSeq + 1, 0)
    after = found.at(-1)?.id ?? after
  }
}

/** Copies a table row by row. Rows that are numbered are copied in the order of their numbers. */
async function copyTable(from: Database<Tables>, to: Database<Tables>, table: CopiedTable): Promise<number> {
  let count = 0
  let after = 0
  for (;;) {
    const { rows } = await sql<Row>`
      select rowid as "source_row", * from ${sql.table(table)} where rowid > ${after} order by rowid limit ${sql.lit(SLICE)}`.execute(
      from,
    )
    if (rows.length === 0) return count
    await to
      .insertInto(table)
      .values(rows.map(row => toTargetRow(row, table)))
      .execute()
    count += rows.length
    after = rows.at(-1)?.source_row ?? after
  }
}

type Row = { readonly source_row: number } & Record<string, unknown>

function toTargetRow({ source_row: _, ...row }: Row, table: CopiedTable): Insertable<Tables[CopiedTable]> {
  const columns = Object.entries(row)
    .filter(([column]) => !(column === 'id' && NUMBERED.has(table)))
    .map(([column, value]) => [column, typeof value === 'string' ? toText(value, table, column) : value])
  return Object.fromEntries(columns) as Insertable<Tables[CopiedTable]>
}

/**
 * Replaces the character U+0000, which PostgreSQL cannot store. In definitions' names, the replacement keeps different
 * names different; other texts are only displayed.
 */
function toText(value: string, table: CopiedTable, column: string): string {
  const isName = column === 'name' && table.startsWith('definition')
  return isName ? withoutNul(value) : value.replaceAll('\0', '\uFFFD')
}
