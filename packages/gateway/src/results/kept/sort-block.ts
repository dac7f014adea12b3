import { isJsonObject, type Json } from '../../protocol/messages.ts'
import { isText } from '../../protocol/parse-json.ts'
import { type Cut, cutOf, type Piece } from './piece.ts'

type TextPiece = Extract<Piece, { unit: 'chars' }>
type WholePiece = Extract<Piece, { unit: 'block' }>

interface LongText {
  readonly text: string
  readonly path: string
  /** The block with another text, or none, in place of the long one. */
  readonly withText: (text: string | null) => Json
}

/** A block of `content`: short, or a long text in its frame, or anything else long, which is only of use whole. */
export type Block =
  | { readonly kind: 'short'; readonly block: unknown }
  | { readonly kind: 'text'; readonly piece: TextPiece; readonly withText: LongText['withText'] }
  | { readonly kind: 'whole'; readonly piece: WholePiece }

export function sortBlock(block: unknown, part: string, isLong: (value: unknown) => boolean): Block {
  if (!isLong(block)) return { kind: 'short', block }
  const long = findText(block)
  if (long === undefined || isLong(long.withText(null)))
    return { kind: 'whole', piece: { unit: 'block', part, block } }
  const { text, path, withText } = long
  return { kind: 'text', piece: { unit: 'chars', part: `${part}/${path}`, text }, withText }
}

/** The text of a text block, or of a resource that is embedded as text. */
function findText(block: unknown): LongText | undefined {
  if (!isJsonObject(block)) return undefined
  if (block.type === 'text' && isText(block.text))
    return { text: block.text, path: 'text', withText: text => ({ ...block, text }) }
  const { type, resource } = block
  if (type !== 'resource' || !isJsonObject(resource) || !isText(resource.text)) return undefined
  const withText = (text: string | null) => ({ ...block, resource: { ...resource, text } })
  return { text: resource.text, path: 'resource/text', withText }
}

/** A block as an outline has it. */
export function frameBlock(block: Block): { readonly value: unknown; readonly cuts: readonly Cut[] } {
  if (block.kind === 'short') return { value: block.block, cuts: [] }
  return { value: block.kind === 'text' ? block.withText(null) : null, cuts: [cutOf(block.piece)] }
}
