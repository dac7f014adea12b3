import { isJsonObject } from '../protocol/messages.ts'
import { isText } from '../protocol/parse-json.ts'
import { findLong, isObject, measureJson } from './measure-json.ts'
import { type Cut, canPoint, costOf, cutOf, type Entries, joinEntries, type Piece, pointTo } from './piece.ts'

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
    const outlines = value.map((item, index) => outline(item, sizes, () => pointTo(part, index)))
    const entries = outlines.map(each => each.value)
    const chars = sum(outlines.map(each => each.chars + 1))
    return gather({ unit: 'items', part, entries, cuts: cutsOf(outlines) }, outlines, chars)
  }
  if (isJsonObject(value)) {
    // Of an object with very many members, its entries take five times as long as its keys.
    const keys = Object.keys(value)
    const outlines = keys.map(key => outline(value[key], sizes, () => pointTo(part, key)))
    const entries = keys.map((key, index) => [key, outlines[index]?.value])
    const names = sum(keys.map(key => measureJson(key, Number.POSITIVE_INFINITY) + 1))
    const chars = names + sum(outlines.map(each => each.chars + 1))
    return gather({ unit: 'members', part, entries, cuts: cutsOf(outlines) }, outlines, chars)
  }
  return alone({ unit: 'block', part, block: value })
}

function alone(own: Piece): Apart {
  return { pieces: [own], chars: Number.POSITIVE_INFINITY }
}

/** `chars` is what the entries take, each with its comma; the last has none, but there are two brackets. */
function gather(own: Piece, outlines: readonly Outline[], chars: number): Apart {
  return { pieces: [own, ...outlines.flatMap(each => each.pieces)], chars: Math.max(2, chars + 1) }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0)
}

export function cutsOf(outlines: readonly { readonly cuts: readonly Cut[] }[]): Entries['cuts'] {
  return new Map(outlines.flatMap(({ cuts }, index) => (cuts.length === 0 ? [] : [[index, cuts]])))
}

const NONE: readonly never[] = []

/** `at` says where the value stands, which matters only for the few that are long. */
function outline(value: unknown, sizes: Sizes, at: () => string): Outline {
  const { max, long } = sizes
  const whole = isObject(value) && long.has(value) ? Number.POSITIVE_INFINITY : measureJson(value, max)
  if (whole <= max) return { value, chars: whole, cuts: NONE, pieces: NONE }
  const part = at()
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
