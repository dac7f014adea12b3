import { isJsonObject, type Json } from '../../protocol/messages.ts'
import { isText } from '../../protocol/parse-json.ts'
import { measureJson } from './measure-json.ts'
import { type Cut, canPoint, costOf, cutOf, cutsOf, type Piece, pointTo, takeApart } from './take-apart.ts'

type TextPiece = Extract<Piece, { unit: 'chars' }>
type WholePiece = Extract<Piece, { unit: 'block' }>

interface LongText {
  readonly text: string
  readonly path: string
  /** Returns the block with a different text (or null) in place of the long text. */
  readonly withText: (text: string | null) => Json
}

/**
 * A block of `content`: a short block, a block with a long text, or another long block, which is useful only if it is
 * complete.
 */
export type Block =
  | { readonly kind: 'short'; readonly block: unknown }
  | { readonly kind: 'text'; readonly piece: TextPiece; readonly withText: LongText['withText'] }
  | { readonly kind: 'whole'; readonly piece: WholePiece }

function sortBlock(block: unknown, part: string, isLong: (value: unknown) => boolean): Block {
  if (!isLong(block)) return { kind: 'short', block }
  const long = findText(block)
  if (long === undefined || isLong(long.withText(null)))
    return { kind: 'whole', piece: { unit: 'block', part, block } }
  const { text, path, withText } = long
  return { kind: 'text', piece: { unit: 'chars', part: `${part}/${path}`, text }, withText }
}

/** Returns the text of a text block or an embedded text resource. */
function findText(block: unknown): LongText | undefined {
  if (!isJsonObject(block)) return undefined
  if (block.type === 'text' && isText(block.text))
    return { text: block.text, path: 'text', withText: text => ({ ...block, text }) }
  const { type, resource } = block
  if (type !== 'resource' || !isJsonObject(resource) || !isText(resource.text)) return undefined
  const withText = (text: string | null) => ({ ...block, resource: { ...resource, text } })
  return { text: resource.text, path: 'resource/text', withText }
}

function frameBlock(block: Block): { readonly value: unknown; readonly cuts: readonly Cut[] } {
  if (block.kind === 'short') return { value: block.block, cuts: [] }
  return { value: block.kind === 'text' ? block.withText(null) : null, cuts: [cutOf(block.piece)] }
}

/** A member of the result that is too long for the outline, split into its pieces. */
interface LongMember {
  readonly key: string
  readonly value: unknown
  readonly pieces: readonly [Piece, ...Piece[]]
}

interface Sorted {
  /** The members to show in the outline. Long members are among them if their key is too long for a JSON Pointer. */
  readonly short: readonly (readonly [string, unknown])[]
  readonly long: readonly LongMember[]
  /** The blocks of `content`. Undefined if `content` is not an array; it is then treated like any other member. */
  readonly blocks: readonly Block[] | undefined
}

export interface Layout extends Sorted {
  /**
   * The pieces in reading order, so that an agent that reads on gets the text first: the outline, texts, other values,
   * and finally blocks that are useful only if they are complete, such as images. Each piece follows the one from which
   * it was cut.
   */
  readonly pieces: readonly Piece[]
}

/** The `part` of the outline. `CONTENT` is the `part` of `content` as a whole. */
const OUTLINE = ''
export const CONTENT = '/content'

/**
 * Divides a result into pieces for pages of `max` characters. The same result and the same `max` always give the same
 * pieces.
 */
export function layOut(result: Json, max: number): Layout {
  const isLong = (value: unknown) => measureJson(value, max / 4) > max / 4
  const { content } = result
  const blocks = Array.isArray(content)
    ? content.map((block, index) => sortBlock(block, pointTo(CONTENT, index), isLong))
    : undefined
  const members = Object.entries(result).filter(([key]) => blocks === undefined || key !== 'content')
  const isApart = ([key, value]: [string, unknown]) => isLong(value) && canPoint(pointTo(OUTLINE, key), max)
  const apart = new Set(members.filter(isApart))
  const short = members.filter(member => !apart.has(member))
  const long = Array.from(apart, ([key, value]) => {
    return { key, value, pieces: takeApart(value, pointTo(OUTLINE, key), max) }
  })
  const sorted = { short, long, blocks }
  return { ...sorted, pieces: orderPieces(Object.keys(result), sorted, max) }
}

interface Framed {
  readonly value: unknown
  readonly cuts: readonly Cut[]
}

function orderPieces(keys: readonly string[], sorted: Sorted, max: number): readonly Piece[] {
  const { short, long, blocks = [] } = sorted
  const content = frameContent(blocks, max)
  const framed = new Map<string, Framed>([
    ['content', content.frame],
    ...short.map(([key, value]) => [key, { value, cuts: [] }] as const),
    ...long.map(({ key, pieces }) => [key, { value: null, cuts: [cutOf(pieces[0])] }] as const),
  ])
  const members = keys.map(key => ({ key, ...(framed.get(key) ?? { value: null, cuts: [] }) }))
  const entries = members.map(({ key, value }) => [key, value])
  return [
    { unit: 'members', part: OUTLINE, entries, cuts: cutsOf(members) },
    ...content.pieces,
    ...blocks.flatMap(block => (block.kind === 'text' ? [block.piece] : [])),
    ...long.flatMap(({ pieces }) => pieces),
    ...blocks.flatMap(block => (block.kind === 'whole' ? [block.piece] : [])),
  ]
}

/** Puts `content` into the outline, or into a piece of its own if there are many blocks. */
function frameContent(blocks: readonly Block[], max: number): { frame: Framed; pieces: readonly Piece[] } {
  const frames = blocks.map(frameBlock)
  const value = frames.map(frame => frame.value)
  const cuts = frames.flatMap(frame => frame.cuts)
  if (measureJson(value, max / 2) + costOf(cuts) <= max / 2) return { frame: { value, cuts }, pieces: [] }
  const piece: Piece = { unit: 'items', part: CONTENT, entries: value, cuts: cutsOf(frames) }
  return { frame: { value: null, cuts: [cutOf(piece)] }, pieces: [piece] }
}
