import type { AuditRow } from '../audit-store.ts'
import { type AuditContent, type Shape, ShapedRow } from './shape.ts'

/**
 * The separators. Legitimate texts contain no control characters. A text that was tampered with unpacks to rows whose
 * hashes do not match.
 */
const BETWEEN_PARTS = '\u001c'
const BETWEEN_ROWS = '\u001e'
const BETWEEN_FIELDS = '\u001f'
/** Stands for the hash of the previous row, which does not need to be repeated. */
const FOLLOWS = '='

type Place = Pick<AuditRow, 'seq' | 'prev' | 'hash'>

const NOWHERE: Place = { seq: 0, prev: '', hash: '' }

/**
 * Packs rows of one writer into one text, because a row has fifteen values, and passing each value to or from a
 * database costs as much as hashing half a row. Three quarters of the data is the same in many calls. Therefore the
 * text first has the shapes, then the rows, each with the number of its shape.
 */
export function packRows(places: readonly Place[], contents: readonly AuditContent[]): string {
  const numbers = new Map<Shape, number>()
  let shapes = ''
  let rows = ''
  let before: string | undefined
  for (const [index, { at, request, shape, rest }] of contents.entries()) {
    const { seq, prev, hash } = places[index] ?? NOWHERE
    let number = numbers.get(shape)
    if (number === undefined) {
      number = numbers.size
      numbers.set(shape, number)
      shapes += (number === 0 ? '' : BETWEEN_ROWS) + packShape(shape)
    }
    const where = `${number}${BETWEEN_FIELDS}${seq}${BETWEEN_FIELDS}${at}${BETWEEN_FIELDS}${request}`
    const link = `${prev === before ? FOLLOWS : prev}${BETWEEN_FIELDS}${hash}`
    rows += `${index === 0 ? '' : BETWEEN_ROWS}${where}${BETWEEN_FIELDS}${link}${BETWEEN_FIELDS}${rest}`
    before = hash
  }
  return `${BETWEEN_PARTS}${shapes}${BETWEEN_PARTS}${rows}`
}

/** Writes a shape. It starts with the separator, so that `packedField` also finds the first field. */
function packShape({ kind, agent, server, tool, variant, verdict, outcome, code, head }: Shape): string {
  return ['', kind, agent, server, tool, variant, verdict, outcome, code, head].join(BETWEEN_FIELDS)
}

/** Texts from `packedField` that a row must contain. Rows without them are not unpacked. */
export interface Marks {
  readonly shape?: readonly string[]
  readonly row?: readonly string[]
}

/** Unpacks rows. It accepts any text. If the text was tampered with, the hashes of the rows do not match. */
export function unpackRows(writer: number, text: string, marks: Marks = {}): AuditRow[] {
  return text.startsWith(BETWEEN_PARTS)
    ? unpackShaped(writer, text, marks).map(toPlain)
    : unpackOldRows(writer, text, [...(marks.shape ?? []), ...(marks.row ?? [])])
}

/** Unpacks rows for code that reads the whole log. Rows with the same shape still share one shape object. */
export function unpackAll(writer: number, text: string): readonly AuditRow[] {
  return text.startsWith(BETWEEN_PARTS) ? unpackShaped(writer, text, {}) : unpackOldRows(writer, text, [])
}

function unpackShaped(writer: number, text: string, marks: Marks): ShapedRow[] {
  const middle = text.indexOf(BETWEEN_PARTS, 1)
  const shapes = text
    .slice(1, middle)
    .split(BETWEEN_ROWS)
    .map(shape => (has(shape, marks.shape) ? recallShape(shape) : undefined))
  const packed = text.slice(middle + 1).split(BETWEEN_ROWS)
  const rows: ShapedRow[] = []
  let reached = -1
  for (const [index, row] of packed.entries()) {
    const number = Number.parseInt(row, 10)
    const shape = number < shapes.length ? shapes[number] : NO_SHAPE
    if (shape === undefined || !has(row, marks.row)) continue
    const before = reached === index - 1 ? rows.at(-1)?.hash : hashIn(packed[index - 1])
    rows.push(unpackRow(writer, row, shape, before))
    reached = index
  }
  return rows
}

/** Returns the text that a packed row contains if one of its fields (except the last) has this value. */
export function packedField(value: string): string {
  return `${BETWEEN_FIELDS}${value}${BETWEEN_FIELDS}`
}

function has(text: string, marks: readonly string[] | undefined): boolean {
  return marks === undefined || marks.every(mark => text.includes(mark))
}

/** A cache of shapes, because the chunks of a log have most of their shapes in common. */
const known = new Map<string, Shape>()
const MOST_KNOWN = 1000
const LONG = 2000

function recallShape(packed: string): Shape {
  const recalled = known.get(packed)
  if (recalled !== undefined) return recalled
  if (packed.length > LONG) return unpackShape(packed)
  // The text is copied, because a substring would keep the whole chunk in memory.
  const own = JSON.parse(JSON.stringify(packed)) as string
  const shape = unpackShape(own)
  if (known.size >= MOST_KNOWN) known.clear()
  known.set(own, shape)
  return shape
}

const SHAPE_FIELDS = 10

/**
 * Reads a shape. A text with fewer fields is refused, because a search would not find it although it contains the
 * values.
 */
function unpackShape(packed: string): Shape {
  const all = packed.split(BETWEEN_FIELDS)
  const fields = all.length < SHAPE_FIELDS ? [] : all
  const field = (index: number): string => fields[index] ?? ''
  return {
    kind: field(1) as AuditRow['kind'],
    agent: field(2),
    server: field(3),
    tool: field(4),
    variant: field(5),
    verdict: field(6),
    outcome: field(7),
    code: field(8),
    head: fields.slice(9).join(BETWEEN_FIELDS),
  }
}

const NO_SHAPE = unpackShape('')

const HASH = 5
const REST = 6

function hashIn(packed: string | undefined): string | undefined {
  return packed?.split(BETWEEN_FIELDS, HASH + 1)[HASH]
}

/** Fields are read by index, because array destructuring is slower and a log can have millions of rows. */
function unpackRow(writer: number, packed: string, shape: Shape, before: string | undefined): ShapedRow {
  const fields = packed.split(BETWEEN_FIELDS)
  const field = (index: number): string => fields[index] ?? ''
  const rest = fields.length === REST + 1 ? field(REST) : fields.slice(REST).join(BETWEEN_FIELDS)
  const prev = field(4)
  return new ShapedRow(
    { at: Number(fields[2]), request: field(3), shape, rest },
    { writer, seq: Number(fields[1]), prev: prev === FOLLOWS ? (before ?? '') : prev, hash: field(HASH) },
  )
}

function toPlain({ writer, seq, prev, hash, content }: ShapedRow): AuditRow {
  const { at, request, shape, rest } = content
  const { head, ...names } = shape
  return { writer, seq, at, request, ...names, body: head + rest, prev, hash }
}

/** The older format, without shapes: every row has all of its fields, and the body comes last. */
const OLD_FIELDS = [
  ...['seq', 'at', 'kind', 'request', 'agent', 'server', 'tool', 'variant', 'verdict', 'outcome', 'code'],
  ...['prev', 'hash'],
]

function unpackOldRows(writer: number, text: string, marks: readonly string[]): AuditRow[] {
  const rows = text.split(BETWEEN_ROWS).filter(row => has(row, marks))
  return rows.map(row => {
    const fields = row.split(BETWEEN_FIELDS)
    const named = Object.fromEntries(OLD_FIELDS.map((name, index) => [name, fields[index] ?? '']))
    const body = fields.slice(OLD_FIELDS.length).join(BETWEEN_FIELDS)
    return { ...named, writer, seq: Number(fields[0]), at: Number(fields[1]), body } as AuditRow
  })
}
