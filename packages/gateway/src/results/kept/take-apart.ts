import { isJsonObject } from '../../protocol/messages.ts'
import { isText } from '../../protocol/parse-json.ts'
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

/** What stays of some values, and what is cut from them. */
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
