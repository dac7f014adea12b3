import { measureJson } from './measure-json.ts'

/** What a piece is counted in: the characters of a text, the items of an array, the members of an object, or itself. */
export type Unit = 'chars' | 'items' | 'members' | 'block'

/** Says that a page has `null` where another part has the value. */
export interface Cut {
  /** A JSON Pointer (RFC 6901) into the result: where the value belongs, and how to ask for it. */
  readonly part: string
  readonly unit: Unit
  readonly total: number
}

interface Text {
  readonly unit: 'chars'
  readonly part: string
  readonly text: string
}

/** Of an array its items; of an object its members, each as `[key, value]`. */
export interface Entries {
  readonly unit: 'items' | 'members'
  readonly part: string
  readonly entries: readonly unknown[]
  /** By entry: what is cut within it. */
  readonly cuts: ReadonlyMap<number, readonly Cut[]>
}

interface Whole {
  readonly unit: 'block'
  readonly part: string
  readonly block: unknown
}

/** A stretch of a result that is read page by page. All pieces of a result together are the result. */
export type Piece = Text | Entries | Whole

export function totalOf(piece: Piece): number {
  if (piece.unit === 'chars') return piece.text.length
  return piece.unit === 'block' ? 1 : piece.entries.length
}

export function cutOf(piece: Piece): Cut {
  return { part: piece.part, unit: piece.unit, total: totalOf(piece) }
}

/** What it costs a page, in characters, to say so. */
export function costOf(cuts: readonly Cut[]): number {
  return cuts.reduce((sum, { part }) => sum + JSON.stringify(part).length + CUT_CHARS, 0)
}

const CUT_CHARS = '{"part":,"unit":"members","total":123456789},'.length

/** A run of entries as what they are: `[1, 2]` or `{ a: 1 }`. */
export function joinEntries({ unit }: Entries, entries: readonly unknown[]): unknown {
  // A member named __proto__ stays a member.
  return unit === 'items' ? entries : Object.fromEntries(entries as [string, unknown][])
}

/** `pointTo('/structuredContent', 'a/b')` is `/structuredContent/a~1b`. */
export function pointTo(part: string, key: string | number): string {
  return `${part}/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`
}

/** Below this no pointer is too long, however short the pages. */
const LEAST_POINTER = 200

/**
 * Whether a value is named by a pointer. Every piece has its pointer, and every page the pointers of what is cut from
 * it: of at most an eighth of a page each, all of them take less than the result, whatever its keys are.
 */
export function canPoint(part: string, max: number): boolean {
  const most = Math.max(LEAST_POINTER, max / 8)
  return measureJson(part, most) <= most
}
