import type { AuditRow } from '../audit-store.ts'
import { aboutOf, facetsOf } from './facets.ts'
import { packRows } from './pack-rows.ts'
import { MOST_ROWS, type Span, spansOf } from './request-spans.ts'
import { type Shape, shapeRows } from './shape.ts'

/** Some rows that follow each other in one chain, as they are stored, and what they can be found by. */
export interface Chunk {
  readonly writer: number
  readonly firstSeq: number
  readonly lastSeq: number
  /** Of the calls in it: when the first and the last came in. */
  readonly since: number
  readonly until: number
  /** How many rows end a call. */
  readonly endings: number
  readonly about: string
  readonly rows: string
  readonly facets: readonly string[]
  readonly spans: readonly Span[]
}

/** Rows of one writer, in their order, as chunks. */
export function toChunks(rows: readonly AuditRow[]): Chunk[] {
  const chunks: Chunk[] = []
  for (let at = 0; at < rows.length; at += MOST_ROWS) chunks.push(toChunk(rows.slice(at, at + MOST_ROWS)))
  return chunks
}

function toChunk(rows: readonly AuditRow[]): Chunk {
  const contents = shapeRows(rows)
  const shapes = new Set<Shape>()
  let since = Number.POSITIVE_INFINITY
  let until = Number.NEGATIVE_INFINITY
  let endings = 0
  for (const { at, shape } of contents) {
    if (at < since) since = at
    if (at > until) until = at
    if (shape.kind === 'intent') continue
    endings += 1
    shapes.add(shape)
  }
  return {
    writer: rows[0]?.writer ?? 0,
    firstSeq: rows[0]?.seq ?? 0,
    lastSeq: rows.at(-1)?.seq ?? 0,
    since,
    until,
    endings,
    about: aboutOf(shapes),
    rows: packRows(rows, contents),
    facets: facetsOf(shapes),
    spans: spansOf(contents),
  }
}
