import type { Kysely } from 'kysely'
import type { AuditPage, AuditRequest, AuditRow } from '../audit-store.ts'
import type { Tables } from '../sql/schema.ts'
import { facetsFor, isWanted, marksFor, patternsFor } from './facets.ts'
import { unpackRows } from './pack-rows.ts'
import { findRows } from './read-rows.ts'

interface Found {
  readonly row: AuditRow
  readonly chunk: number
}

/**
 * The number of chunks in the first read. Later reads are larger, up to a maximum. Chunks are large, so reading starts
 * with a few.
 */
const FIRST_TIME = 2
const MOST_AT_A_TIME = 64

/** Returns calls that have ended, newest first, with their intents. */
export async function queryCalls(db: Kysely<Tables>, request: AuditRequest): Promise<AuditPage> {
  const found = await collect(db, request)
  const page = found.slice(0, request.limit)
  const outcomes = page.filter(({ row }) => row.kind === 'outcome').map(({ row }) => row.request)
  const intents = new Map((await findRows(db, outcomes, 'intent')).map(row => [row.request, row]))
  const last = page.at(-1)
  return {
    calls: page.map(({ row }) => {
      const intent = row.kind === 'outcome' ? intents.get(row.request) : undefined
      return { ending: row, ...(intent === undefined ? {} : { intent }) }
    }),
    ...(found.length > page.length && last !== undefined ? { next: writeCursor(last) } : {}),
  }
}

/**
 * Collects one call more than fits on a page. Chunks are ordered by their latest call, and their times overlap.
 * Therefore a call's place in the result is final only if the call is later than everything that is still unread.
 */
async function collect(db: Kysely<Tables>, request: AuditRequest): Promise<Found[]> {
  const after = readCursor(request.cursor)
  const marks = marksFor(request)
  const found: Found[] = []
  const opened = new Set<number>()
  let last: Place | undefined
  for (
    let count = FIRST_TIME, read = 0;
    ;
    count = expectEnough(request.limit + 1 - found.length, found.length / read)
  ) {
    const places = await findPlaces(db, request, { after, last, count })
    // Each chunk is opened only once, even if tampering added several entries for it.
    const unopened = places.filter(({ id }) => !opened.has(id))
    for (const { id } of unopened) opened.add(id)
    for (const { id, writer, rows } of await readChunks(db, unopened))
      for (const row of unpackRows(writer, rows, marks)) {
        const one = { row, chunk: id }
        if (isWanted(row, request) && (after === undefined || compare(one, after) > 0)) found.push(one)
      }
    found.sort(compare)
    last = places.at(-1)
    read += places.length
    const isAll = places.length < count
    const rest = isAll ? Number.NEGATIVE_INFINITY : (last?.until ?? 0)
    if (isAll || (found[request.limit]?.row.at ?? rest) > rest) return found.slice(0, request.limit + 1)
  }
}

function expectEnough(missing: number, perChunk: number): number {
  const expected = Math.ceil(missing / perChunk) + 1
  return expected > 1 ? Math.min(expected, MOST_AT_A_TIME) : FIRST_TIME
}

interface Place {
  readonly id: number
  readonly until: number
}

interface Reach {
  readonly after: Found | undefined
  readonly last: Place | undefined
  readonly count: number
}

async function findPlaces(
  db: Kysely<Tables>,
  request: AuditRequest,
  { after, last, count }: Reach,
): Promise<Place[]> {
  const [facet, ...others] = facetsFor(request)
  const patterns = patternsFor(request)
  const places =
    facet === undefined
      ? db
          .selectFrom('audit_chunks')
          .select(['id', 'until', 'since', 'about'])
          .where(eb => eb('endings', '>', eb.lit(0)))
      : db
          .selectFrom('audit_facets')
          .innerJoin('audit_chunks', 'audit_chunks.id', 'audit_facets.chunk')
          .select(['chunk as id', 'audit_facets.until', 'audit_facets.since', 'about'])
          .where('facet', '=', facet)
  let query = db.selectFrom(places.as('places')).select(['places.id', 'places.until'])
  for (const pattern of patterns) query = query.where('places.about', 'like', pattern)
  for (const other of others)
    query = query.where(eb =>
      eb.exists(
        eb
          .selectFrom('audit_facets as also')
          .select('also.chunk')
          .where('also.facet', '=', other)
          .whereRef('also.until', '=', 'places.until')
          .whereRef('also.chunk', '=', 'places.id'),
      ),
    )
  if (request.since !== undefined) query = query.where('places.until', '>=', request.since)
  if (request.until !== undefined) query = query.where('places.since', '<', request.until)
  if (after !== undefined) query = query.where('places.since', '<=', after.row.at)
  if (last !== undefined)
    query = query
      .where('places.until', '<=', last.until)
      .where(eb => eb.or([eb('places.until', '<', last.until), eb('places.id', '<', last.id)]))
  return query.orderBy('places.until', 'desc').orderBy('places.id', 'desc').limit(count).execute()
}

function readChunks(db: Kysely<Tables>, places: readonly Place[]) {
  const ids = places.map(({ id }) => id)
  return ids.length === 0
    ? []
    : db.selectFrom('audit_chunks').select(['id', 'writer', 'rows']).where('id', 'in', ids).execute()
}

/** Orders calls from new to old. Of calls at the same moment, the one that was written last comes first. */
function compare(a: Found, b: Found): number {
  return b.row.at - a.row.at || b.chunk - a.chunk || b.row.seq - a.row.seq
}

function writeCursor({ row, chunk }: Found): string {
  return `${row.at}.${chunk}.${row.seq}`
}

function readCursor(cursor: string | undefined): Found | undefined {
  const [at, chunk, seq] = (cursor ?? '').split('.').map(Number)
  if (at === undefined || chunk === undefined || seq === undefined) return undefined
  return { row: { at, seq } as AuditRow, chunk }
}
