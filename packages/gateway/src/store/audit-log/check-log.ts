import type { Kysely, Selectable } from 'kysely'
import type { CheckedSlice, Misfiled } from '../audit-store.ts'
import { portions } from '../sql/database.ts'
import type { Tables } from '../sql/schema.ts'
import { fileRows, type IndexData } from './chunk.ts'
import { containsAll } from './facets.ts'
import { unpackAll } from './pack-rows.ts'
import { type Reading, readChunks } from './read-log.ts'
import type { Span } from './request-spans.ts'

interface IndexedChunk {
  readonly chunk: Selectable<Tables['audit_chunks']>
  readonly indexData: IndexData
}

/**
 * Minimum number of chunks per read; `MOST` is the maximum. The number depends on the previous read, because a chunk
 * can have one row or hundreds.
 */
const FEWEST = 1
const MOST = 64
/** Maximum number of values in one query, because databases have a limit. */
const MOST_VALUES = 500

/**
 * Reads the log from the beginning in whole chunks, and compares each chunk with its index entries. No hash protects
 * the index, but all of it can be derived from the rows, which hashes do protect. A cursor contains the last chunk and
 * the number of chunks to read next.
 */
export async function checkLog(
  db: Kysely<Tables>,
  { after, limit, visibleEnd }: Reading,
): Promise<CheckedSlice> {
  const [last, count = FEWEST] = after === undefined ? [] : after.split('.').map(Number)
  // The first read has no lower bound. The gateway's own chunk numbers are positive, but someone who tampers with the
  // log can add others.
  const chunks = await readChunks(db, { from: last === undefined ? undefined : last + 1, count, visibleEnd })
  const read = chunks.map(chunk => ({ chunk, rows: unpackAll(chunk.writer, chunk.rows) }))
  const rows = read.flatMap(one => one.rows)
  const indexed = read.map(one => ({ chunk: one.chunk, indexData: fileRows(one.rows) }))
  const next = Math.ceil((limit * chunks.length) / Math.max(rows.length, 1))
  const reached = chunks.at(-1)?.id ?? last ?? 0
  return {
    rows,
    misfiled: await findMisfiled(db, indexed),
    isOver: chunks.length === 0,
    cursor: `${reached}.${Math.min(Math.max(next, FEWEST), MOST)}`,
  }
}

async function findMisfiled(db: Kysely<Tables>, indexed: readonly IndexedChunk[]): Promise<Misfiled[]> {
  // Chunks whose times or numbers are not valid cannot be looked up.
  const leading = await findLeading(db, indexed.filter(isReadable))
  return indexed.flatMap(one => {
    const isFiled = isReadable(one) && isBeside(one) && indexKeysOf(one).every(words => leading.has(words))
    if (isFiled) return []
    const { writer } = one.chunk
    const { firstSeq, lastSeq } = one.indexData
    return [{ writer, firstSeq, lastSeq }]
  })
}

function isReadable({ indexData: { since, until, spans } }: IndexedChunk): boolean {
  return [since, until, ...spans.flatMap(({ first, last }) => [first, last])].every(Number.isSafeInteger)
}

function isBeside({ chunk, indexData }: IndexedChunk): boolean {
  const { firstSeq, lastSeq, since, until, endings, about } = indexData
  if (chunk.first_seq !== firstSeq || chunk.last_seq !== lastSeq || chunk.endings !== endings) return false
  return chunk.since === since && chunk.until === until && containsAll(chunk.about, about)
}

/** Returns the keys of all index entries that a chunk must have. Additional entries are harmless. */
function indexKeysOf({ chunk, indexData }: IndexedChunk): string[] {
  const { since, until, facets, spans } = indexData
  return [
    placeInChain(chunk),
    ...(chunk.endings > 0 ? [placeInTime(chunk)] : []),
    ...facets.map(facet => JSON.stringify([chunk.id, facet, since, until])),
    ...spans.map(({ series, first, last }) => JSON.stringify([chunk.id, series, first, last])),
  ]
}

type Row = Selectable<Tables['audit_chunks']>

function placeInTime({ id, until, since, about }: Pick<Row, 'id' | 'until' | 'since' | 'about'>): string {
  return JSON.stringify([id, until, since, about])
}

function placeInChain({ id, writer, last_seq: seq }: Pick<Row, 'id' | 'writer' | 'last_seq'>): string {
  return JSON.stringify([id, writer, seq])
}

/**
 * Finds the keys of existing index entries. The set also contains other keys, because tables are queried by the
 * beginning of a key.
 */
async function findLeading(db: Kysely<Tables>, indexed: readonly IndexedChunk[]): Promise<Set<string>> {
  const filings = indexed.map(({ indexData }) => indexData)
  const untils = distinct(filings.map(({ until }) => until))
  const leading = new Set<string>()
  if (indexed.length === 0) return leading
  for (const place of await findByTime(db, untils)) leading.add(placeInTime(place))
  for (const place of await findInChains(db, indexed)) leading.add(placeInChain(place))
  for (const facets of portions(distinct(filings.flatMap(indexData => indexData.facets)), MOST_VALUES))
    for (const { chunk, facet, since, until } of await findFacets(db, facets, untils))
      leading.add(JSON.stringify([chunk, facet, since, until]))
  for (const spans of portions(
    filings.flatMap(indexData => indexData.spans),
    MOST_VALUES,
  ))
    for (const { chunk, series, first, last } of await findSpans(db, spans))
      leading.add(JSON.stringify([chunk, series, first, last]))
  return leading
}

/**
 * Finds chunks by time. It uses the same database index as a query, because an index that was tampered with can
 * disagree with its table.
 */
function findByTime(db: Kysely<Tables>, untils: readonly number[]) {
  return db
    .selectFrom('audit_chunks')
    .select(['id', 'until', 'since', 'about'])
    .where(eb => eb('endings', '>', eb.lit(0)))
    .where('until', 'in', untils)
    .execute()
}

function findInChains(db: Kysely<Tables>, indexed: readonly IndexedChunk[]) {
  return db
    .selectFrom('audit_chunks')
    .select(['id', 'writer', 'last_seq'])
    .where('writer', 'in', distinct(indexed.map(({ chunk }) => chunk.writer)))
    .where('last_seq', 'in', distinct(indexed.map(({ chunk }) => chunk.last_seq)))
    .execute()
}

function findFacets(db: Kysely<Tables>, facets: readonly string[], untils: readonly number[]) {
  return db
    .selectFrom('audit_facets')
    .selectAll()
    .where('facet', 'in', facets)
    .where('until', 'in', untils)
    .execute()
}

function findSpans(db: Kysely<Tables>, spans: readonly Span[]) {
  return db
    .selectFrom('audit_spans')
    .selectAll()
    .where('series', 'in', distinct(spans.map(({ series }) => series)))
    .where('last', 'in', distinct(spans.map(({ last }) => last)))
    .execute()
}

function distinct<T>(values: readonly T[]): T[] {
  return [...new Set(values)]
}
