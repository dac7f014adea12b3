import type { AuditRow } from '../audit-store.ts'
import { aboutOf, facetsOf } from './facets.ts'
import { packRows } from './pack-rows.ts'
import { MOST_ROWS, type Span, spansOf } from './request-spans.ts'
import { type AuditContent, type Shape, shapeRows } from './shape.ts'

/** What some rows that follow each other in one chain can be found by. */
export interface Filing {
  readonly firstSeq: number
  readonly lastSeq: number
  /** Of the calls in it: when the first and the last came in. */
  readonly since: number
  readonly until: number
  /** How many rows end a call. */
  readonly endings: number
  readonly about: string
  readonly facets: readonly string[]
  readonly spans: readonly Span[]
}

export interface Chunk extends Filing {
  readonly writer: number
  readonly rows: string
}

/** Rows of one writer, in their order, as chunks. */
export function toChunks(rows: readonly AuditRow[]): Chunk[] {
  const chunks: Chunk[] = []
  for (let at = 0; at < rows.length; at += MOST_ROWS) chunks.push(toChunk(rows.slice(at, at + MOST_ROWS)))
  return chunks
}

function toChunk(rows: readonly AuditRow[]): Chunk {
  const contents = shapeRows(rows)
  return { writer: rows[0]?.writer ?? 0, ...file(rows, contents), rows: packRows(rows, contents) }
}

export function fileRows(rows: readonly AuditRow[]): Filing {
  return file(rows, shapeRows(rows))
}

function file(rows: readonly AuditRow[], contents: readonly AuditContent[]): Filing {
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
    firstSeq: rows[0]?.seq ?? 0,
    lastSeq: rows.at(-1)?.seq ?? 0,
    since,
    until,
    endings,
    about: aboutOf(shapes),
    facets: facetsOf(shapes),
    spans: spansOf(contents),
  }
}

/** Makes chunks of rows that come in any mixture of chains, each chain in its order. */
export function collectChunks() {
  const waiting = new Map<number, AuditRow[]>()
  return {
    /** Those that are full now. */
    add(rows: readonly AuditRow[]): Chunk[] {
      const full: Chunk[] = []
      for (const row of rows) {
        const chain = waiting.get(row.writer) ?? []
        chain.push(row)
        waiting.set(row.writer, chain)
        if (chain.length < MOST_ROWS) continue
        full.push(...toChunks(chain))
        waiting.delete(row.writer)
      }
      return full
    },
    rest: (): Chunk[] => [...waiting.values()].flatMap(toChunks),
  }
}
