import { isJsonObject, type Json } from '../../protocol/messages.ts'
import { writeJson } from '../../protocol/parse-json.ts'
import { type Position, writeCursor } from './cursor.ts'
import { type Layout, layOut } from './lay-out.ts'
import { measureJson } from './measure-json.ts'
import { type Piece, totalOf } from './piece.ts'
import { previewJson } from './preview-json.ts'
import { META_KEY, type Shown, type ShowOptions, showFirst } from './show-first.ts'

export interface SplitOptions {
  /** The longest that an answer may be, in characters of JSON. */
  readonly chars: number
  /** How many the result has. */
  readonly total: number
  readonly handle: string
  readonly structured: ShowOptions['structured']
}

export interface Split {
  /** A tool result of its own, which says what it leaves out and how to read on. */
  readonly first: Json
  readonly pieces: readonly Piece[]
}

/** What the note and our member of `_meta` take. */
const NOTE_CHARS = 700

/**
 * The first part of a result that is too long. Everything that it does not show comes on the pages from `next` on.
 * Undefined if nothing would be left out.
 */
export function splitResult(result: Json, options: SplitOptions): Split | undefined {
  const { chars, handle, structured } = options
  const layout = layOut(result, chars)
  const shown = showFirst(layout, { room: chars - NOTE_CHARS, structured })
  const position = findUnshown(layout.pieces, shown.shown)
  if (position === undefined) return undefined
  const next = writeCursor(position, { handle, chars })
  const preview = previewStructured(layout, shown, chars / 4)
  return { first: composeFirst({ ...options, layout, shown, preview, next }), pieces: layout.pieces }
}

/** The first place, in the order of reading, that the first part does not show. */
function findUnshown(pieces: readonly Piece[], shown: ReadonlyMap<string, number>): Position | undefined {
  const index = pieces.findIndex(piece => (shown.get(piece.part) ?? 0) < totalOf(piece))
  const piece = pieces[index]
  return piece === undefined ? undefined : { index, offset: shown.get(piece.part) ?? 0 }
}

/** If there is much room left, the beginning of `structuredContent` as a text: agents read it, programs do not. */
function previewStructured(layout: Layout, { members, room }: Shown, least: number): string | undefined {
  const structured = layout.long.find(({ key }) => key === 'structuredContent')
  if (structured === undefined || members.has('structuredContent') || room < least) return undefined
  // As a text it is written once more, and every quote in it takes another character.
  return [0.8, 0.5, 0.2]
    .map(share => previewJson(structured.value, room * share))
    .flatMap(preview => (preview === undefined ? [] : [writeJson(preview)]))
    .find(text => measureJson({ type: 'text', text }, room) <= room)
}

interface First extends SplitOptions {
  readonly layout: Layout
  readonly shown: Shown
  readonly preview: string | undefined
  readonly next: string
}

function composeFirst(first: First): Json {
  const { handle, total, next, shown, preview } = first
  const blocks = [...shown.blocks].sort(([a], [b]) => a - b).map(([, block]) => block)
  const content = preview === undefined ? blocks : [...blocks, { type: 'text', text: preview }]
  const members = Object.fromEntries(shown.members)
  const chars = measureJson({ ...members, content }, Number.POSITIVE_INFINITY)
  const note = { type: 'text', text: writeNote(first, chars) }
  const meta = isJsonObject(members._meta) ? members._meta : {}
  const mark = { handle, unit: 'chars', total, shown: chars, next }
  return { ...members, content: [...content, note], _meta: { ...meta, [META_KEY]: mark } }
}

function writeNote({ handle, next, total, layout, shown, preview }: First, chars: number): string {
  const missing = (layout.blocks?.length ?? 0) - shown.blocks.size
  const omitted = layout.long.map(({ key }) => key).filter(key => !shown.members.has(key))
  const sentences = [
    `Cut: ${group(chars)} of ${group(total)} characters shown.`,
    ...(missing > 0
      ? [`${group(missing)} of ${group(layout.blocks?.length ?? 0)} content blocks left out.`]
      : []),
    ...(omitted.includes('structuredContent')
      ? [
          `Part "/structuredContent" left out${preview === undefined ? '' : '; the JSON above is its beginning'}.`,
        ]
      : []),
    `Read on with read_result ${JSON.stringify({ handle, cursor: next })}`,
  ]
  return `[${sentences.join(' ')}]`
}

function group(count: number): string {
  return count.toLocaleString('en-US')
}
