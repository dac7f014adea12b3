import { isJsonObject, type Json } from '../../protocol/messages.ts'
import { onlyReserved } from '../../protocol/name-of.ts'
import { writeJson } from '../../protocol/parse-json.ts'
import { type Block, CONTENT, type Layout, layOut } from './lay-out.ts'
import { endOfFitting, measureJson, previewJson } from './measure-json.ts'
import { group, type Position, writeCursor } from './page-result.ts'
import { type Piece, totalOf } from './take-apart.ts'

interface SplitOptions {
  /** Maximum number of characters of JSON in an answer. */
  readonly chars: number
  /** The length of the whole result as JSON, in characters. */
  readonly total: number
  readonly handle: string
  readonly structured: ShowOptions['structured']
}

interface Split {
  /** The first part: a valid tool result that states what was omitted and how to read on. */
  readonly first: Json
  readonly pieces: readonly Piece[]
}

/** The space that is reserved for the note and the gateway's member of `_meta`, in characters. */
const NOTE_CHARS = 700

/**
 * Splits off the first part of a result. The rest is on the pages from `next` on. Returns undefined if nothing would be
 * omitted.
 */
export function splitResult(result: Json, options: SplitOptions): Split | undefined {
  const { chars, handle, structured } = options
  const layout = layOut(result, chars)
  const shown = showFirst(layout, { budget: chars - NOTE_CHARS, structured })
  const position = findUnshown(layout.pieces, shown.shown)
  if (position === undefined) return undefined
  const next = writeCursor(position, { handle, chars })
  const preview = previewStructured(layout, shown, chars / 4)
  return { first: composeFirst({ ...options, layout, shown, preview, next }), pieces: layout.pieces }
}

/** Returns the first position (in reading order) that the first part does not show. */
function findUnshown(pieces: readonly Piece[], shown: ReadonlyMap<string, number>): Position | undefined {
  const index = pieces.findIndex(piece => (shown.get(piece.part) ?? 0) < totalOf(piece))
  const piece = pieces[index]
  return piece === undefined ? undefined : { index, offset: shown.get(piece.part) ?? 0 }
}

/**
 * Shows the beginning of `structuredContent` as text if much space is left. Agents read such a text, and programs
 * ignore it.
 */
function previewStructured(layout: Layout, { members, budget }: Shown, least: number): string | undefined {
  const structured = layout.long.find(({ key }) => key === 'structuredContent')
  if (structured === undefined || members.has('structuredContent') || budget < least) return undefined
  // Each quote in the preview takes an additional character, because the JSON is encoded once more as text. If the
  // preview becomes too long, a shorter one is tried.
  return [0.8, 0.5, 0.2]
    .map(share => previewJson(structured.value, budget * share))
    .flatMap(preview => (preview === undefined ? [] : [writeJson(preview)]))
    .find(text => measureJson({ type: 'text', text }, budget) <= budget)
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
      ? [`${group(missing)} of ${group(layout.blocks?.length ?? 0)} content blocks omitted.`]
      : []),
    ...(omitted.includes('structuredContent')
      ? [
          `Part "/structuredContent" omitted${preview === undefined ? '' : '; the JSON above is its beginning'}.`,
        ]
      : []),
    `Continue with read_result ${JSON.stringify({ handle, cursor: next })}`,
  ]
  return `[${sentences.join(' ')}]`
}

export interface ShowOptions {
  /** The space for the result's members, in characters. */
  readonly budget: number
  /**
   * How to treat `structuredContent`. `whole` means that it passes unchanged, however long it is, because the client
   * checks it against the declared schema. `omit` means that it can be left out. It is never cut, because a program
   * would not notice that.
   */
  readonly structured: 'whole' | 'omit'
}

interface Shown {
  readonly members: ReadonlyMap<string, unknown>
  readonly blocks: ShownBlocks['blocks']
  /** The number of units that are shown from the beginning of each part. */
  readonly shown: ReadonlyMap<string, number>
  readonly budget: number
}

/** The member of `_meta` that marks the first part of a stored result. */
export const META_KEY = 'io.hintgate/result'

/** Chooses what the first part shows: short values, then the beginnings of texts, then anything else that fits. */
function showFirst(layout: Layout, { budget, structured }: ShowOptions): Shown {
  const { short, long, blocks = [], pieces } = layout
  const members = new Map<string, unknown>()
  const mustShow = (key: string) =>
    key === 'isError' || (key === 'structuredContent' && structured === 'whole')
  const remarks = remarksIn(layout)
  let left = budget - (remarks === undefined ? 0 : measureJson(['_meta', remarks], budget))
  const take = (key: string, value: unknown): boolean => {
    const chars = measureJson([key, value], left)
    if (chars <= left && isValid(key, value)) left -= chars
    else if (!mustShow(key)) return false
    members.set(key, value)
    return true
  }

  const missing = short.filter(([key, value]) => !take(key, value))
  const texts = showTexts(blocks, left)
  left = texts.budget
  const added = long.filter(({ key, value }) => take(key, value))
  const all = showWholes(blocks, { ...texts, budget: left })

  // If `_meta` is too long, only the gateway's own members are shown. The server's members are on their own page.
  if (remarks !== undefined && !members.has('_meta')) members.set('_meta', remarks)
  const isContentApart = pieces[1]?.part === CONTENT
  const hasOutline = missing.length === 0 && (isContentApart || all.count === blocks.length)
  const whole = [...added.flatMap(member => member.pieces), ...(hasOutline ? pieces.slice(0, 1) : [])]
  const shown = new Map([
    ...all.shown,
    [CONTENT, all.count] as const,
    ...whole.map(piece => [piece.part, totalOf(piece)] as const),
  ])
  return { members, blocks: all.blocks, shown, budget: all.budget }
}

/** Returns the gateway's own members of `_meta`. They are shown however many members the server adds. */
function remarksIn({ short, long }: Layout): Json | undefined {
  const meta = short.find(([key]) => key === '_meta')?.[1] ?? long.find(({ key }) => key === '_meta')?.value
  const { [META_KEY]: _, ...remarks } = onlyReserved(meta)
  return Object.keys(remarks).length === 0 ? undefined : remarks
}

/**
 * Returns false for a member that would conflict with the note in `content` or the mark in `_meta`. Such a member is
 * shown on its own page.
 */
function isValid(key: string, value: unknown): boolean {
  if (key === 'content') return false
  return key !== '_meta' || (isJsonObject(value) && !(META_KEY in value))
}

interface ShownBlocks {
  /** The blocks to show, by their index in `content`. */
  readonly blocks: ReadonlyMap<number, unknown>
  /**
   * The number of blocks that are shown from the beginning, not counting blocks that are useful only if they are
   * complete.
   */
  readonly count: number
  /** The number of units that are shown from the beginning of each part. */
  readonly shown: ReadonlyMap<string, number>
  /** The number of characters that are left. */
  readonly budget: number
}

/** Minimum number of characters to show of a text, because clients reject empty blocks. */
const LEAST = 40

/** Shows short blocks and the beginning of every text. The texts then get the remaining space, in order. */
function showTexts(blocks: readonly Block[], budget: number): ShownBlocks {
  const shortest = showShortest(blocks, budget)
  const shown = new Map(shortest.blocks)
  const ends = new Map<string, number>()
  let left = shortest.budget
  for (const [index, block] of blocks.slice(0, shortest.count).entries()) {
    if (block.kind !== 'text') continue
    const { text, part } = block.piece
    const least = endOfFitting(text, 0, LEAST)
    const end = endOfFitting(text, least, left)
    left -= JSON.stringify(text.slice(least, end)).length - 2
    ends.set(part, end)
    shown.set(index, block.withText(text.slice(0, end)))
  }
  return { blocks: shown, count: shortest.count, shown: ends, budget: left }
}

function showShortest(blocks: readonly Block[], budget: number): Omit<ShownBlocks, 'shown'> {
  const shown = new Map<number, unknown>()
  let left = budget
  for (const [index, block] of blocks.entries()) {
    if (block.kind === 'whole') continue
    const value = block.kind === 'short' ? block.block : block.withText(beginningOf(block.piece.text))
    const chars = measureJson(value, left) + 1
    if (chars > left) return { blocks: shown, count: index, budget: left }
    left -= chars
    shown.set(index, value)
  }
  return { blocks: shown, count: blocks.length, budget: left }
}

function beginningOf(text: string): string {
  return text.slice(0, endOfFitting(text, 0, LEAST))
}

/** Adds images and similar blocks if they fit. */
function showWholes(blocks: readonly Block[], before: ShownBlocks): ShownBlocks {
  const shown = new Map(before.blocks)
  const counts = new Map(before.shown)
  let left = before.budget
  for (const [index, block] of blocks.entries()) {
    if (block.kind !== 'whole') continue
    const chars = measureJson(block.piece.block, left) + 1
    if (chars > left) continue
    left -= chars
    shown.set(index, block.piece.block)
    counts.set(block.piece.part, 1)
  }
  return { blocks: shown, count: before.count, shown: counts, budget: left }
}
