import { isJsonObject } from '../protocol/messages.ts'
import { isText } from '../protocol/parse-json.ts'
import { measureJson } from './measure-json.ts'
import { type Cut, costOf, cutOf, type Entries, joinEntries, type Piece, pointTo } from './piece.ts'

/** What has room where it stands, and the pieces that have not. */
interface Outline {
  readonly value: unknown
  readonly cuts: readonly Cut[]
  readonly pieces: readonly Piece[]
}

/**
 * A value as a piece of its own, followed by pieces for whatever within it takes more than `max` characters, each
 * after the one that it is cut from. Of `{ rows: [ …10,000 rows… ], total: 10000 }` the first piece has
 * `{ rows: null, total: 10000 }` and the second the rows.
 */
export function takeApart(value: unknown, part: string, max: number): readonly [Piece, ...Piece[]] {
  if (isText(value)) return [{ unit: 'chars', part, text: value }]
  if (Array.isArray(value)) {
    const outlines = value.map((item, index) => outline(item, max, () => pointTo(part, index)))
    const entries = outlines.map(each => each.value)
    return gather({ unit: 'items', part, entries, cuts: cutsOf(outlines) }, outlines)
  }
  if (isJsonObject(value)) {
    const members = Object.entries(value)
    const outlines = members.map(([key, member]) => outline(member, max, () => pointTo(part, key)))
    const entries = members.map(([key], index) => [key, outlines[index]?.value])
    return gather({ unit: 'members', part, entries, cuts: cutsOf(outlines) }, outlines)
  }
  return [{ unit: 'block', part, block: value }]
}

function gather(own: Piece, outlines: readonly Outline[]): readonly [Piece, ...Piece[]] {
  return [own, ...outlines.flatMap(each => each.pieces)]
}

export function cutsOf(outlines: readonly { readonly cuts: readonly Cut[] }[]): Entries['cuts'] {
  return new Map(outlines.flatMap(({ cuts }, index) => (cuts.length === 0 ? [] : [[index, cuts]])))
}

const NONE: readonly never[] = []

/** `at` says where the value stands, which matters only for the few that are long. */
function outline(value: unknown, max: number, at: () => string): Outline {
  if (measureJson(value, max) <= max) return { value, cuts: NONE, pieces: NONE }
  const [own, ...rest] = takeApart(value, at(), max)
  if (own.unit === 'items' || own.unit === 'members') {
    // Often one long text is all that made it long: the frame around it stays where it is.
    const frame = joinEntries(own, own.entries)
    const cuts = [...own.cuts.values()].flat()
    if (measureJson(frame, max) + costOf(cuts) <= max) return { value: frame, cuts, pieces: rest }
  }
  return { value: null, cuts: [cutOf(own)], pieces: [own, ...rest] }
}
