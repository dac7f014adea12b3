import type { Kysely, Selectable } from 'kysely'
import type { CheckedSlice, Misfiled } from '../audit-store.ts'
import type { Tables } from '../sql/schema.ts'
import { type Filing, fileRows } from './chunk.ts'
import { namesIn } from './facets.ts'
import { unpackAll } from './pack-rows.ts'
import { type Horizon, readChunks } from './read-log.ts'

interface Checking {
  readonly after: string | undefined
  /** About how many rows at a time. */
  readonly limit: number
  readonly horizon: Horizon
}

interface Filed {
  readonly chunk: Selectable<Tables['audit_chunks']>
  readonly filing: Filing
}

/** Chunks have hundreds of rows or one: how many to read at a time is told by those that were read before. */
const FEWEST = 1
const MOST = 256

/**
 * The log from the beginning, in whole chunks, each held against what leads to it. No hash covers that; but all of it can be
 * told from the rows, which hashes do cover. A cursor is the last chunk and how many to read next.
 */
export async function checkLog(
  db: Kysely<Tables>,
  { after, limit, horizon }: Checking,
): Promise<CheckedSlice> {
  const [last = 0, count = FEWEST] = after === undefined ? [] : after.split('.').map(Number)
  const chunks = await readChunks(db, { from: last + 1, count, horizon })
  const read = chunks.map(chunk => ({ chunk, rows: unpackAll(chunk.writer, chunk.rows) }))
  const rows = read.flatMap(one => one.rows)
  const filed = read.map(one => ({ chunk: one.chunk, filing: fileRows(one.rows) }))
  const next = Math.ceil((limit * chunks.length) / Math.max(rows.length, 1))
  const reached = chunks.at(-1)?.id ?? last
  return {
    rows,
    misfiled: await findMisfiled(db, filed),
    cursor: `${reached}.${Math.min(Math.max(next, FEWEST), MOST)}`,
  }
}

async function findMisfiled(db: Kysely<Tables>, filed: readonly Filed[]): Promise<Misfiled[]> {
  const leading = await findLeading(db, filed)
  return filed.flatMap(one => {
    if (isBeside(one) && wordsFor(one).every(words => leading.has(words))) return []
    const { writer } = one.chunk
    const { firstSeq, lastSeq } = one.filing
    return [{ writer, firstSeq, lastSeq }]
  })
}

/** What stands beside the rows themselves. */
function isBeside({ chunk, filing }: Filed): boolean {
  const { firstSeq, lastSeq, since, until, endings, about } = filing
  if (chunk.first_seq !== firstSeq || chunk.last_seq !== lastSeq || chunk.endings !== endings) return false
  if (chunk.since !== since || chunk.until !== until) return false
  const names = namesIn(chunk.about)
  return [...namesIn(about)].every(name => names.has(name))
}

/** Every way that has to lead to a chunk, in words. More of them do no harm. */
function wordsFor({ chunk, filing }: Filed): string[] {
  const { since, until, facets, spans } = filing
  return [
    ...facets.map(facet => JSON.stringify([chunk.id, facet, since, until])),
    ...spans.map(({ series, first, last }) => JSON.stringify([chunk.id, series, first, last])),
  ]
}

/** Those that there are; and others, because both tables are asked by the beginning of their key. */
async function findLeading(db: Kysely<Tables>, filed: readonly Filed[]): Promise<Set<string>> {
  const filings = filed.map(({ filing }) => filing)
  const spans = filings.flatMap(filing => filing.spans)
  const facets = filings.flatMap(filing => filing.facets)
  const byFacet =
    facets.length === 0
      ? []
      : await db
          .selectFrom('audit_facets')
          .selectAll()
          .where('facet', 'in', distinct(facets))
          .where('until', 'in', distinct(filings.map(({ until }) => until)))
          .execute()
  const bySpan =
    spans.length === 0
      ? []
      : await db
          .selectFrom('audit_spans')
          .selectAll()
          .where('series', 'in', distinct(spans.map(({ series }) => series)))
          .where('last', 'in', distinct(spans.map(({ last }) => last)))
          .execute()
  return new Set([
    ...byFacet.map(({ chunk, facet, since, until }) => JSON.stringify([chunk, facet, since, until])),
    ...bySpan.map(({ chunk, series, first, last }) => JSON.stringify([chunk, series, first, last])),
  ])
}

function distinct<T>(values: readonly T[]): T[] {
  return [...new Set(values)]
}
