import type { AuditRow } from '../audit-store.ts'
import { aboutOf, facetsOf } from './facets.ts'
import { packRows } from './pack-rows.ts'
import { MOST_ROWS, type Span, spansOf } from './request-spans.ts'
import { type AuditContent, type Shape, shapeRows } from './shape.ts'

/** The index data of consecutive rows of one chain. */
export interface IndexData {
  readonly firstSeq: number
  readonly lastSeq: number
  /** The time at which the first of these calls arrived. `until` is the time of the last. */
  readonly since: number
  readonly until: number
  /** The number of rows that end a call. */
  readonly endings: number
  readonly about: string
  readonly facets: readonly string[]
  readonly spans: readonly Span[]
}

export interface Chunk extends IndexData {
  readonly writer: number
  readonly rows: string
}

/** Packs rows of one writer, which must be in order, into chunks. */
export function toChunks(rows: readonly AuditRow[]): Chunk[] {
  const chunks: Chunk[] = []
  for (let at = 0; at < rows.length; at += MOST_ROWS) chunks.push(toChunk(rows.slice(at, at + MOST_ROWS)))
  return chunks
}

function toChunk(rows: readonly AuditRow[]): Chunk {
  const contents = shapeRows(rows)
  return { writer: rows[0]?.writer ?? 0, ...file(rows, contents), rows: packRows(rows, contents) }
}

export function fileRows(rows: readonly AuditRow[]): IndexData {
  return file(rows, shapeRows(rows))
}

function file(rows: readonly AuditRow[], contents: readonly AuditContent[]): IndexData {
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

/** Collects rows of several chains and packs them into chunks. The rows of each chain must be in order. */
export function collectChunks() {
  const waiting = new Map<number, AuditRow[]>()
  return {
    /** Adds rows. Returns the chunks that are now full. */
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
