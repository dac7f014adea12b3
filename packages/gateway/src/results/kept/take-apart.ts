import { isJsonObject } from '../../protocol/messages.ts'
import { isText } from '../../protocol/parse-json.ts'
import { findLong, isObject, measureJson } from './measure-json.ts'

/**
 * The unit in which a piece is counted: characters of a text, items of an array, members of an object, or the whole
 * block.
 */
export type Unit = 'chars' | 'items' | 'members' | 'block'

/** Describes a value that is shown as null, because it is a separate part. */
export interface Cut {
  /**
   * The position of the value in the result, as a JSON Pointer (RFC 6901). The value is also requested by this pointer.
   */
  readonly part: string
  readonly unit: Unit
  readonly total: number
}

interface Text {
  readonly unit: 'chars'
  readonly part: string
  readonly text: string
}

/** The items of an array, or the members of an object as `[key, value]`. */
export interface Entries {
  readonly unit: 'items' | 'members'
  readonly part: string
  readonly entries: readonly unknown[]
  /** The cuts in each entry. The key is the entry's index. */
  readonly cuts: ReadonlyMap<number, readonly Cut[]>
}

interface Whole {
  readonly unit: 'block'
  readonly part: string
  readonly block: unknown
}

/** A piece of a result that is read page by page. All pieces together make up the result. */
export type Piece = Text | Entries | Whole

export function totalOf(piece: Piece): number {
  if (piece.unit === 'chars') return piece.text.length
  return piece.unit === 'block' ? 1 : piece.entries.length
}

export function cutOf(piece: Piece): Cut {
  return { part: piece.part, unit: piece.unit, total: totalOf(piece) }
}

/** Returns the number of characters that a list of these cuts takes on a page. */
export function costOf(cuts: readonly Cut[]): number {
  return cuts.reduce((sum, { part }) => sum + JSON.stringify(part).length + CUT_CHARS, 0)
}

const CUT_CHARS = '{"part":,"unit":"members","total":123456789},'.length

/** Turns entries into an array or object, such as `[1, 2]` or `{ a: 1 }`. */
export function joinEntries({ unit }: Entries, entries: readonly unknown[]): unknown {
  // `fromEntries` keeps a member named `__proto__` as an ordinary member.
  return unit === 'items' ? entries : Object.fromEntries(entries as [string, unknown][])
}

/** Extends a JSON Pointer by a key: `pointTo('/structuredContent', 'a/b')` is `/structuredContent/a~1b`. */
export function pointTo(part: string, key: string | number): string {
  return `${part}/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`
}

/** Pointers up to this length are always accepted, however short the pages are. */
const LEAST_POINTER = 200

/**
 * Whether a value can have its own pointer. Each piece has a pointer, and each page lists the pointers of its cuts.
 * Because a pointer is limited to an eighth of a page, all pointers together take less space than the result, whatever
 * its keys are.
 */
export function canPoint(part: string, max: number): boolean {
  const most = Math.max(LEAST_POINTER, max / 8)
  return measureJson(part, most) <= most
}

/** The part of a value that stays where it is, and the pieces that were cut out of it. */
interface Outline {
  readonly value: unknown
  /**
   * The length of the value and its cuts. It is added up from the innermost values outwards, so that one pass is enough
   * for any depth.
   */
  readonly chars: number
  readonly cuts: readonly Cut[]
  readonly pieces: readonly Piece[]
}

interface Apart {
  /** The value's own piece, followed by the pieces that were cut out of it. */
  readonly pieces: readonly [Piece, ...Piece[]]
  /** The length of the value's own piece, including its cuts. */
  readonly chars: number
}

interface Sizes {
  readonly max: number
  /** The arrays and objects that are longer than the limit. */
  readonly long: ReadonlySet<object>
}

/**
 * Splits a value into its own piece, and further pieces for everything in it that takes more than `max` characters.
 * Each further piece follows the one from which it was cut. For `{ rows: [ …10,000 rows… ], total: 10000 }`, the first
 * piece is `{ rows: null, total: 10000 }` and the second has the rows.
 */
export function takeApart(value: unknown, part: string, max: number): readonly [Piece, ...Piece[]] {
  return takeOff(value, part, { max, long: findLong(value, max) }).pieces
}

function takeOff(value: unknown, part: string, sizes: Sizes): Apart {
  if (isText(value)) return alone({ unit: 'chars', part, text: value })
  if (Array.isArray(value)) {
    const { kept, cuts, pieces, chars } = gather(value, sizes, index => pointTo(part, index))
    return { pieces: [{ unit: 'items', part, entries: kept, cuts }, ...pieces], chars: Math.max(2, chars) }
  }
  if (isJsonObject(value)) {
    // Only the keys are listed, because listing the entries of an object with very many members takes five times as
    // long.
    const keys = Object.keys(value)
    const values = keys.map(key => value[key])
    const { kept, cuts, pieces, chars } = gather(values, sizes, index => pointTo(part, keys[index] ?? ''))
    const entries = keys.map((key, index) => [key, kept[index]])
    const names = keys.reduce((sum, key) => sum + measureJson(key, Number.POSITIVE_INFINITY) + 1, 0)
    return {
      pieces: [{ unit: 'members', part, entries, cuts }, ...pieces],
      chars: Math.max(2, names + chars),
    }
  }
  return alone({ unit: 'block', part, block: value })
}

function alone(own: Piece): Apart {
  return { pieces: [own], chars: Number.POSITIVE_INFINITY }
}

interface Gathered {
  readonly kept: readonly unknown[]
  readonly cuts: Entries['cuts']
  readonly pieces: readonly Piece[]
  /** The length. Each entry includes one character for a comma; that of the last entry counts for a bracket instead. */
  readonly chars: number
}

/**
 * Gathers entries. No objects are created for short values: there can be millions of them, and that would block the
 * event loop.
 */
function gather(values: readonly unknown[], sizes: Sizes, at: (index: number) => string): Gathered {
  const kept: unknown[] = []
  const cuts = new Map<number, readonly Cut[]>()
  const pieces: Piece[] = []
  let chars = 1
  for (let index = 0; index < values.length; index++) {
    const value = values[index]
    const whole = measureWhole(value, sizes)
    const found = whole <= sizes.max ? undefined : outline(value, sizes, at(index))
    kept.push(found === undefined ? value : found.value)
    chars += (found?.chars ?? whole) + 1
    if (found === undefined) continue
    if (found.cuts.length > 0) cuts.set(index, found.cuts)
    for (const piece of found.pieces) pieces.push(piece)
  }
  return { kept, cuts, pieces, chars }
}

function measureWhole(value: unknown, { max, long }: Sizes): number {
  return isObject(value) && long.has(value) ? Number.POSITIVE_INFINITY : measureJson(value, max)
}

export function cutsOf(outlines: readonly { readonly cuts: readonly Cut[] }[]): Entries['cuts'] {
  return new Map(outlines.flatMap(({ cuts }, index) => (cuts.length === 0 ? [] : [[index, cuts]])))
}

const NONE: readonly never[] = []

/** Creates the outline of a value that is too long for its place. */
function outline(value: unknown, sizes: Sizes, part: string): Outline {
  const { max } = sizes
  // A value that cannot have a pointer cannot be cut out. It stays, and its page becomes long.
  if (!canPoint(part, max)) return { value, chars: Number.POSITIVE_INFINITY, cuts: NONE, pieces: NONE }
  const { pieces, chars } = takeOff(value, part, sizes)
  const [own, ...rest] = pieces
  // Often a single long text makes the value too long. The rest of the value then stays in place.
  if ((own.unit === 'items' || own.unit === 'members') && chars <= max)
    return { value: joinEntries(own, own.entries), chars, cuts: [...own.cuts.values()].flat(), pieces: rest }
  const cuts = [cutOf(own)]
  return { value: null, chars: 'null'.length + costOf(cuts), cuts, pieces }
}
