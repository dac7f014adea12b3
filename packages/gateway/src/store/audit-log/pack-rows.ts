import type { AuditRow } from '../audit-store.ts'

/** Texts have no control characters. Who puts one in gets rows that match no hash. */
const BETWEEN_ROWS = '\u001e'
const BETWEEN_FIELDS = '\u001f'

/**
 * Rows of one writer as one text: every value that a database takes or hands over costs as much as hashing half of a
 * row, and there are fifteen in a row.
 */
export function packRows(rows: readonly AuditRow[]): string {
  let text = ''
  for (const row of rows) text += (text === '' ? '' : BETWEEN_ROWS) + packRow(row)
  return text
}

function packRow(row: AuditRow): string {
  const place = `${row.seq}${BETWEEN_FIELDS}${row.at}${BETWEEN_FIELDS}${row.kind}${BETWEEN_FIELDS}${row.request}`
  const what = `${row.agent}${BETWEEN_FIELDS}${row.server}${BETWEEN_FIELDS}${row.tool}${BETWEEN_FIELDS}${row.variant}`
  const how = `${row.verdict}${BETWEEN_FIELDS}${row.outcome}${BETWEEN_FIELDS}${row.code}${BETWEEN_FIELDS}${row.prev}`
  const rest = `${row.hash}${BETWEEN_FIELDS}${row.body}`
  return `${place}${BETWEEN_FIELDS}${what}${BETWEEN_FIELDS}${how}${BETWEEN_FIELDS}${rest}`
}

/** `mayBe`: looks at a row as it is packed, to leave out those that are not wanted before they are unpacked. */
export function unpackRows(writer: number, text: string, mayBe?: (packed: string) => boolean): AuditRow[] {
  const packed = text.split(BETWEEN_ROWS)
  return (mayBe === undefined ? packed : packed.filter(mayBe)).map(row => unpackRow(writer, row))
}

/** A text that the packed row has in it if one of its fields, but for the first and the last, has this value. */
export function packedField(value: string): string {
  return `${BETWEEN_FIELDS}${value}${BETWEEN_FIELDS}`
}

/** By number: taking a list apart by names goes through its iterator, and a log is read by the million. */
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

const FIELDS = 14
