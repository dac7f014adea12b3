import { hash } from 'node:crypto'
import { type AuditContent, type Shape, ShapedRow } from '../store/audit-log/shape.ts'
import type { AuditRow } from '../store/audit-store.ts'

/** The end of a chain: what the next row follows. */
export interface Link {
  readonly seq: number
  readonly hash: string
}

/** Before the first row. */
export const START: Link = { seq: 0, hash: '' }

interface Chain {
  readonly id: number
  readonly name: string
}

/** Rows for some contents, each bound to the one before it. */
export function linkRows(chain: Chain, after: Link, contents: readonly AuditContent[]): ShapedRow[] {
  const name = quote(chain.name)
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

/** What `hashRow` hashes, put together from what is known. */
function hashContent(place: string, { at, request, shape, rest }: AuditContent): string {
  const { kind, columns } = textsOf(shape)
  return hash('sha256', `${place},${at}${kind}${quoteOnce(request)}${columns}${rest}`, 'base64url')
}

interface Texts {
  /** Stands between the time and the request. */
  readonly kind: string
  /** Between the request and the rest of the body. */
  readonly columns: string
}

const texts = new WeakMap<Shape, Texts>()

function textsOf(shape: Shape): Texts {
  const known = texts.get(shape)
  if (known !== undefined) return known
  const { kind, agent, server, tool, variant, verdict, outcome, code, head } = shape
  const columns = [agent, server, tool, variant, verdict, outcome, code].map(quote)
  const made = { kind: `,${quote(kind)},`, columns: `,${columns.join(',')}]\n${head}` }
  texts.set(shape, made)
  return made
}

/**
 * SHA-256 over everything that a row says and where it stands. The columns come first, as a JSON list in fixed order,
 * and take one line; the rest is the body as it is stored, so that nothing has to be brought into a canonical form.
 */
export function hashRow(writer: string, row: Omit<AuditRow, 'hash'>): string {
  if (row instanceof ShapedRow)
    return hashContent(`[1,${quote(writer)},${row.seq},${quoteOnce(row.prev)}`, row.content)
  return hash('sha256', `${writeColumns(writer, row)}\n${row.body}`, 'base64url')
}

/** A list of 14, as `JSON.stringify` writes it; put together, because most of its texts are the same in many rows. */
export function writeColumns(writer: string, row: Omit<AuditRow, 'hash'>): string {
  const place = `[1,${quote(writer)},${row.seq},${quoteOnce(row.prev)},${row.at},${quote(row.kind)}`
  const what = `${quoteOnce(row.request)},${quote(row.agent)},${quote(row.server)},${quote(row.tool)}`
  const how = `${quote(row.variant)},${quote(row.verdict)},${quote(row.outcome)},${quote(row.code)}]`
  return `${place},${what},${how}`
}

const quotes = new Map<string, string>()
const MOST_QUOTES = 1000
const LONG = 200
/** Nothing in it has to be escaped. */
const PLAIN = /^[\w:.-]*$/

/** As `JSON.stringify` writes it. For texts that come again and again: names of tools, agents and sessions. */
export function quote(text: string): string {
  const known = quotes.get(text)
  if (known !== undefined) return known
  const quoted = JSON.stringify(text)
  if (quotes.size < MOST_QUOTES && text.length < LONG) quotes.set(text, quoted)
  return quoted
}

/** The same for texts that come once: ids and hashes, which need no escapes. */
function quoteOnce(text: string): string {
  return PLAIN.test(text) ? `"${text}"` : JSON.stringify(text)
}
