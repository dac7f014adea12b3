import type { AuditRow, AuditSeal, StoredWriter } from '../audit-store.ts'
import type { AuditRowRow, AuditWriterRow } from './schema.ts'

export function toAuditRow(row: AuditRowRow): AuditRow {
  // Spelled out: taking all but one property of so many rows is slow.
  return {
    writer: row.writer,
    seq: row.seq,
    at: row.at,
    kind: row.kind,
    request: row.request,
    agent: row.agent,
    server: row.server,
    tool: row.tool,
    variant: row.variant,
    verdict: row.verdict,
    outcome: row.outcome,
    code: row.code,
    body: row.body,
    prev: row.prev,
    hash: row.hash,
  }
}

/**
 * A row as four numbers and one text: every value that SQLite hands over costs as much as hashing half of the row, and a
 * log is read by the million.
 */
export const PACKED = `rows.id, rows.writer, rows.seq, rows.at, concat_ws(char(31), rows.kind, rows.request, rows.agent,
  rows.server, rows.tool, rows.variant, rows.verdict, rows.outcome, rows.code, rows.prev, rows.hash, rows.body)`

/** Texts have no control characters. Who put one in gets columns that match no hash. */
const SEPARATOR = '\u001f'

export type Packed = readonly [id: number, writer: number, seq: number, at: number, texts: string]

export function unpack([, writer, seq, at, texts]: Packed): AuditRow {
  const [kind, request, agent, server, tool, variant, verdict, outcome, code, prev, hash, ...body] =
    texts.split(SEPARATOR) as [AuditRow['kind'], ...Ten, ...string[]]
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
    body: body.join(SEPARATOR),
    prev,
    hash,
  }
}

type Ten = [string, string, string, string, string, string, string, string, string, string]

export function toWriter(row: AuditWriterRow): StoredWriter {
  return {
    id: row.id,
    name: row.name,
    startedAt: row.started_at,
    place: row.place,
    pid: row.pid,
    processStart: row.process_start,
    keyId: row.key_id,
    seenAt: row.seen_at,
    ...(row.closed_at === null ? {} : { closedAt: row.closed_at }),
    ...part('head', toSeal(row.head_seq, row.head_hash, row.head_mac)),
    ...part('sealed', toSeal(row.sealed_seq, row.sealed_hash, row.sealed_mac)),
    openFrom: row.open_from,
  }
}

function toSeal(seq: number, hash: string, mac: string): AuditSeal | undefined {
  return seq === 0 ? undefined : { seq, hash, mac }
}

function part(name: 'head' | 'sealed', seal: AuditSeal | undefined) {
  return seal === undefined ? {} : { [name]: seal }
}
