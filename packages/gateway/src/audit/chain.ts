import { hash } from 'node:crypto'
import type { AuditContent, AuditRow } from '../store/audit-store.ts'

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
  const columns = JSON.stringify([
    1,
    writer,
    row.seq,
    row.prev,
    row.at,
    row.kind,
    row.request,
    row.agent,
    row.server,
    row.tool,
    row.variant,
    row.verdict,
    row.outcome,
    row.code,
  ])
  return hash('sha256', `${columns}\n${row.body}`, 'base64url')
}
