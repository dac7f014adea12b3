import type { AuditRow } from '../audit-store.ts'

const BETWEEN_ROWS = '\u001e'
const BETWEEN_FIELDS = '\u001f'
const FIELDS = 14

/** Rows as they were packed before they had shapes: every one with all of its fields. */
export function unpackOldRows(writer: number, text: string, marks: readonly string[]): AuditRow[] {
  return text
    .split(BETWEEN_ROWS)
    .filter(row => marks.every(mark => row.includes(mark)))
    .map(row => unpackRow(writer, row))
}

function unpackRow(writer: number, packed: string): AuditRow {
  const fields = packed.split(BETWEEN_FIELDS)
  const field = (index: number): string => fields[index] ?? ''
  return {
    writer,
    seq: Number(fields[0]),
    at: Number(fields[1]),
    kind: field(2) as AuditRow['kind'],
    request: field(3),
    agent: field(4),
    server: field(5),
    tool: field(6),
    variant: field(7),
    verdict: field(8),
    outcome: field(9),
    code: field(10),
    body: fields.length === FIELDS ? field(FIELDS - 1) : fields.slice(FIELDS - 1).join(BETWEEN_FIELDS),
    prev: field(11),
    hash: field(12),
  }
}
