import { isJsonObject } from '../../protocol/messages.ts'
import { isText } from '../../protocol/parse-json.ts'
import { findLong, isObject, measureJson } from './measure-json.ts'

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

/** What has room where it stands, and the pieces that have not. */
interface Outline {
  readonly value: unknown
  /** What the value and its cuts take. Added up from below: measured anew at every depth, it would take that often. */
  readonly chars: number
  readonly cuts: readonly Cut[]
  readonly pieces: readonly Piece[]
}

interface Apart {
  /** Its own piece first. */
  readonly pieces: readonly [Piece, ...Piece[]]
  /** What the own piece takes with its cuts. */
  readonly chars: number
}

interface Sizes {
  readonly max: number
  /** The arrays and objects that take more than that. */
  readonly long: ReadonlySet<object>
}

/**
 * A value as a piece of its own, followed by pieces for whatever within it takes more than `max` characters, each
 * after the one that it is cut from. Of `{ rows: [ …10,000 rows… ], total: 10000 }` the first piece has
 * `{ rows: null, total: 10000 }` and the second the rows.
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
    // Of an object with very many members, its entries take five times as long as its keys.
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
  /** What they take, each with its comma; the last has none, but there are two brackets. */
  readonly chars: number
}

/** There may be millions of them, nearly all short: for those nothing is made, which would keep everybody waiting. */
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

/** Of a value that takes more than it may where it stands. */
function outline(value: unknown, sizes: Sizes, part: string): Outline {
  const { max } = sizes
  // Nothing can be cut from where no pointer leads to: it stays, and the page that has it is long.
  if (!canPoint(part, max)) return { value, chars: Number.POSITIVE_INFINITY, cuts: NONE, pieces: NONE }
  const { pieces, chars } = takeOff(value, part, sizes)
  const [own, ...rest] = pieces
  // Often one long text is all that made it long: the frame around it stays where it is.
  if ((own.unit === 'items' || own.unit === 'members') && chars <= max)
    return { value: joinEntries(own, own.entries), chars, cuts: [...own.cuts.values()].flat(), pieces: rest }
  const cuts = [cutOf(own)]
  return { value: null, chars: 'null'.length + costOf(cuts), cuts, pieces }
}
