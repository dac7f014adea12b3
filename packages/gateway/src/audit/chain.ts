import { hash } from 'node:crypto'
import type { AuditContent, AuditRow } from '../store/audit-store.ts'
import { quote, quoteOnce } from './quote.ts'

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
export function linkRows(chain: Chain, after: Link, contents: readonly AuditContent[]): AuditRow[] {
  let { seq, hash: prev } = after
  return contents.map(content => {
    seq += 1
    const row = place(content, chain.id, { seq, hash: prev })
    prev = hashRow(chain.name, row)
    row.hash = prev
    return row
  })
}

type Unhashed = Omit<AuditRow, 'hash'> & { hash: string }

/** Spelled out: copying properties by `...` takes longer than hashing them. */
function place(content: AuditContent, writer: number, { seq, hash: prev }: Link): Unhashed {
  const { at, kind, request, agent, server, tool, variant, verdict, outcome, code, body } = content
  return {
    writer,
    seq,
    at,
    kind,
    request,
    agent,
    server,
    tool,
    variant,
    verdict,
    outcome,
    code,
    body,
    prev,
    hash: '',
  }
}

/**
 * SHA-256 over everything that a row says and where it stands. The columns come first, as a JSON list in fixed order,
 * and take one line; the rest is the body as it is stored, so that nothing has to be brought into a canonical form.
 */
export function hashRow(writer: string, row: Omit<AuditRow, 'hash'>): string {
  return hash('sha256', `${writeColumns(writer, row)}\n${row.body}`, 'base64url')
}

/** A list of 14, as `JSON.stringify` writes it; put together, because most of its texts are the same in many rows. */
export function writeColumns(writer: string, row: Omit<AuditRow, 'hash'>): string {
  const place = `[1,${quote(writer)},${row.seq},${quoteOnce(row.prev)},${row.at},${quote(row.kind)}`
  const what = `${quoteOnce(row.request)},${quote(row.agent)},${quote(row.server)},${quote(row.tool)}`
  const how = `${quote(row.variant)},${quote(row.verdict)},${quote(row.outcome)},${quote(row.code)}]`
  return `${place},${what},${how}`
}
