import { hash } from 'node:crypto'
import { type AuditContent, type Shape, ShapedRow } from '../store/audit-log/shape.ts'
import type { AuditRow } from '../store/audit-store.ts'

/** The last row of a chain, which the next row refers to. */
export interface Link {
  readonly seq: number
  readonly hash: string
}

export const START: Link = { seq: 0, hash: '' }

interface Chain {
  readonly id: number
  readonly name: string
}

export function linkRows(chain: Chain, after: Link, contents: readonly AuditContent[]): ShapedRow[] {
  const name = JSON.stringify(chain.name)
  let { seq, hash: prev } = after
  return contents.map(content => {
    seq += 1
    const row = new ShapedRow(content, {
      writer: chain.id,
      seq,
      prev,
      hash: hashContent(`[1,${name},${seq},"${prev}"`, content),
    })
    prev = row.hash
    return row
  })
}

/** Hashes the same text as `hashRow`, but builds it from parts that are already known. */
function hashContent(place: string, { at, request, shape, rest }: AuditContent): string {
  const { kind, columns } = textsOf(shape)
  return hash('sha256', `${place},${at}${kind}${JSON.stringify(request)}${columns}${rest}`, 'base64url')
}

interface Texts {
  /** The part of the hashed text between the time and the request. */
  readonly kind: string
  /** The part of the hashed text between the request and the rest of the body. */
  readonly columns: string
}

const texts = new WeakMap<Shape, Texts>()

function textsOf(shape: Shape): Texts {
  const known = texts.get(shape)
  if (known !== undefined) return known
  const { kind, agent, server, tool, variant, verdict, outcome, code, head } = shape
  const columns = [agent, server, tool, variant, verdict, outcome, code].map(text => JSON.stringify(text))
  const made = { kind: `,${JSON.stringify(kind)},`, columns: `,${columns.join(',')}]\n${head}` }
  texts.set(shape, made)
  return made
}

/**
 * Returns the SHA-256 of a row's content and position. The columns come first, as a JSON list in fixed order on one
 * line; the body follows as it is stored, so that no canonical form is needed.
 */
export function hashRow(writer: string, row: Omit<AuditRow, 'hash'>): string {
  if (row instanceof ShapedRow)
    return hashContent(`[1,${JSON.stringify(writer)},${row.seq},${JSON.stringify(row.prev)}`, row.content)
  return hash('sha256', `${writeColumns(writer, row)}\n${row.body}`, 'base64url')
}

/** Writes a row's columns as a JSON list of 14 values. */
export function writeColumns(writer: string, row: Omit<AuditRow, 'hash'>): string {
  const { seq, prev, at, kind, request, agent, server, tool, variant, verdict, outcome, code } = row
  const where = [1, writer, seq, prev, at, kind, request]
  return JSON.stringify([...where, agent, server, tool, variant, verdict, outcome, code])
}
