import type { AuditRow } from '../audit-store.ts'

/** The data that many rows have in common: the caller, the tool, the outcome and the beginning of the body. */
export interface Shape
  extends Pick<AuditRow, 'kind' | 'agent' | 'server' | 'tool' | 'variant' | 'verdict' | 'outcome' | 'code'> {
  /** The beginning that the bodies of these rows have in common. */
  readonly head: string
}

/** The content of a row without its position in a chain. Most of the content is in the row's shape. */
export interface AuditContent extends Pick<AuditRow, 'at' | 'request'> {
  readonly shape: Shape
  /** The body without the beginning that is in the shape (`head`). */
  readonly rest: string
}

/** A row that waits to be written. Rows stay in memory until their batch is full, so they must be small. */
export class ShapedRow implements AuditRow {
  readonly writer: number
  readonly seq: number
  readonly prev: string
  readonly hash: string
  readonly content: AuditContent

  constructor(content: AuditContent, place: Pick<AuditRow, 'writer' | 'seq' | 'prev' | 'hash'>) {
    this.writer = place.writer
    this.seq = place.seq
    this.prev = place.prev
    this.hash = place.hash
    this.content = content
  }

  get at(): number {
    return this.content.at
  }
  get request(): string {
    return this.content.request
  }
  get kind(): AuditRow['kind'] {
    return this.content.shape.kind
  }
  get agent(): string {
    return this.content.shape.agent
  }
  get server(): string {
    return this.content.shape.server
  }
  get tool(): string {
    return this.content.shape.tool
  }
  get variant(): string {
    return this.content.shape.variant
  }
  get verdict(): string {
    return this.content.shape.verdict
  }
  get outcome(): string {
    return this.content.shape.outcome
  }
  get code(): string {
    return this.content.shape.code
  }
  get body(): string {
    return this.content.shape.head + this.content.rest
  }
}

/**
 * Bodies are split here, because this is where they start to differ. Any other split would also be correct, but would
 * store more text.
 */
const DIFFERS = ',"session":'

/** Returns the contents of rows. Similar rows share one shape. */
export function shapeRows(rows: readonly AuditRow[]): readonly AuditContent[] {
  const shapes = new Map<string, Shape>()
  return rows.map(row => {
    if (row instanceof ShapedRow) return row.content
    const head = row.body.slice(0, Math.max(0, row.body.indexOf(DIFFERS)))
    const shape = shapeOf(row, head)
    const key = JSON.stringify(shape)
    const known = shapes.get(key) ?? shape
    shapes.set(key, known)
    return { at: row.at, request: row.request, shape: known, rest: row.body.slice(head.length) }
  })
}

export function shapeOf(row: Omit<Shape, 'head'>, head: string): Shape {
  const { kind, agent, server, tool, variant, verdict, outcome, code } = row
  return { kind, agent, server, tool, variant, verdict, outcome, code, head }
}
