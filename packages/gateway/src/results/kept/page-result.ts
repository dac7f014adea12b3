import { createHash } from 'node:crypto'
import { isJsonObject, type Json } from '../../protocol/messages.ts'
import { writeJson } from '../../protocol/parse-json.ts'
import { endOfRun, type StoredPiece } from './stored-result.ts'
import { type Cut, joinEntries, type Piece, type Unit } from './take-apart.ts'

const HANDLE = /^res_[\w-]{22}$/

/** Creates a handle from 128 random bits. It cannot be guessed, even though only its owner could use it anyway. */
export function createHandle(randomBytes: (size: number) => Uint8Array): string {
  return `res_${Buffer.from(randomBytes(16)).toString('base64url')}`
}

function isHandle(value: unknown): value is string {
  return typeof value === 'string' && HANDLE.test(value)
}

/** The arguments of `read_result`. */
export interface ReadRequest {
  readonly handle: string
  readonly cursor?: string | undefined
  /** Maximum number of units on the page. The part determines the unit. */
  readonly limit?: number | undefined
  readonly part?: string | undefined
}

export interface RequestProblem {
  readonly problem: keyof ReadRequest
  readonly text: string
}

export function readRequest(args: unknown): ReadRequest | RequestProblem {
  const { handle, cursor, limit, part } = isJsonObject(args) ? args : {}
  if (!isHandle(handle)) return NO_HANDLE
  if (cursor !== undefined && typeof cursor !== 'string')
    return {
      problem: 'cursor',
      text: '`cursor` must be the `next` of the previous page; omit it to start at the beginning.',
    }
  if (part !== undefined && typeof part !== 'string')
    return {
      problem: 'part',
      text: '`part` must be a JSON Pointer such as "/content/0/text"; omit it to read all parts.',
    }
  if (limit !== undefined && !isCount(limit))
    return { problem: 'limit', text: '`limit` must be a whole number from 1; omit it for full pages.' }
  return { handle, cursor, limit, part }
}

/** Unknown handles and other callers' handles get the same text, so that callers cannot learn which handles exist. */
export const NO_HANDLE: RequestProblem = {
  problem: 'handle',
  text: 'No stored result of yours has this handle. Copy the complete handle from the answer that was cut. Stored results expire and are replaced by newer ones; if this one is gone, call the tool again if repeating the call is safe.',
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 1
}

/** A position in a stored result: the number of a piece, and the offset in that piece. */
export interface Position {
  readonly index: number
  readonly offset: number
}

/**
 * The result and the page length for which a cursor is valid. Agents sometimes mix up results, and the pieces depend on
 * the page length.
 */
interface CursorOf {
  readonly handle: string
  readonly chars: number
}

const CURSOR = /^([0-9a-z]{1,8})-([0-9a-z]{1,8})-[\w-]{6}$/

/**
 * Writes a cursor such as `0-9ig-x7Tq_3`. It ends with a checksum, so that a cursor that was changed or belongs to
 * another result is refused.
 */
export function writeCursor({ index, offset }: Position, { handle, chars }: CursorOf): string {
  const place = `${index.toString(36)}-${offset.toString(36)}`
  const sum = createHash('sha256').update(`${handle} ${chars} ${place}`).digest('base64url')
  return `${place}-${sum.slice(0, 6)}`
}

/** Reads a cursor. Returns undefined unless exactly this cursor was written for the result. */
export function readCursor(cursor: string, of: CursorOf): Position | undefined {
  const [, index = '', offset = ''] = CURSOR.exec(cursor) ?? []
  const position = { index: Number.parseInt(index, 36), offset: Number.parseInt(offset, 36) }
  return Number.isNaN(position.index) || writeCursor(position, of) !== cursor ? undefined : position
}

/** A stored result that is split into pieces for pages of `chars` characters. */
export interface Pages extends CursorOf {
  readonly tool: string
  readonly set?: string
  readonly pieces: readonly StoredPiece[]
}

/** A page of one part. Exactly one of `text`, `items`, `members` and `block` is set, depending on `unit`. */
export interface Page {
  readonly handle: string
  readonly tool: string
  /** The only toolset in which the result can be read. */
  readonly set?: string
  readonly part: string
  readonly unit: Unit
  /** The total number of units in the part. */
  readonly total: number
  readonly offset: number
  readonly text?: string
  readonly items?: unknown
  readonly members?: unknown
  readonly block?: unknown
  /** The values that this page shows as `null`, because each of them is a separate part. */
  readonly cut?: readonly Cut[]
  /** The cursor of the next page; undefined on the last page. */
  readonly next?: string
}

/** The position where a page begins, with the piece and the stored run in which it lies. */
interface Place extends Position {
  readonly piece: StoredPiece
  readonly run: number
}

/** A page spans at most two runs, because a run is as long as a page. */
export const RUNS_OF_A_PAGE = 2

/**
 * Finds the requested page: the one at the cursor, the first page of a part, or the first page of all. If no part is
 * given, pages continue from part to part to the end of the result.
 */
export function findPage(pages: Pages, request: ReadRequest): Place | RequestProblem {
  const position = findPosition(pages, request)
  if ('problem' in position) return position
  const { index, offset } = position
  const piece = pages.pieces[index]
  if (piece === undefined || offset > Math.max(0, piece.total - 1)) return BAD_CURSOR
  return { index, offset, piece, run: piece.starts.findLastIndex(start => start <= offset) }
}

/** Returns the page at a position. `stretch` is the part of the piece that begins with the run at that position. */
export function showPage(pages: Pages, request: ReadRequest, place: Place & { stretch: Piece }): Page {
  const { index, offset, piece, run, stretch } = place
  const start = piece.starts[run] ?? 0
  const { limit = Number.POSITIVE_INFINITY } = request
  const end = start + endOfRun(stretch, offset - start, { chars: pages.chars, limit })
  const next = findNext(pages.pieces, { index, offset: end }, request.part !== undefined)
  const { handle, tool, set } = pages
  const { part, unit, total } = piece
  return {
    ...{ handle, tool, part, unit, total, offset },
    ...(set === undefined ? {} : { set }),
    ...showRun(stretch, offset - start, end - start),
    ...(next === undefined ? {} : { next: writeCursor(next, pages) }),
  }
}

const BAD_CURSOR: RequestProblem = {
  problem: 'cursor',
  text: 'This cursor does not belong to this result. Use `next` of the previous page unchanged, or omit the cursor to start again.',
}

function findPosition(pages: Pages, { cursor, part }: ReadRequest): Position | RequestProblem {
  if (cursor === undefined) return part === undefined ? { index: 0, offset: 0 } : findPart(pages, part)
  const position = readCursor(cursor, pages)
  if (position === undefined) return BAD_CURSOR
  if (part === undefined || pages.pieces[position.index]?.part === part) return position
  return { problem: 'part', text: 'This cursor belongs to another part. Omit either `cursor` or `part`.' }
}

function findPart({ pieces }: Pages, part: string): Position | RequestProblem {
  const index = pieces.findIndex(piece => piece.part === part)
  if (index >= 0) return { index, offset: 0 }
  const known = pieces.slice(0, 5).map(piece => JSON.stringify(piece.part.slice(0, 100)))
  const more = pieces.length > known.length ? ', …' : ''
  return {
    problem: 'part',
    text: `This result does not have that part. Its parts are ${known.join(', ')}${more}. Further parts are listed in \`cut\`, starting with part "".`,
  }
}

/** Finds the position after a page, either later in the same piece or at the start of the next piece. */
function findNext(
  pieces: readonly StoredPiece[],
  { index, offset }: Position,
  staysInPart: boolean,
): Position | undefined {
  const piece = pieces[index]
  if (piece !== undefined && offset < piece.total) return { index, offset }
  return staysInPart || index + 1 >= pieces.length ? undefined : { index: index + 1, offset: 0 }
}

function showRun(piece: Piece, offset: number, end: number): Partial<Page> {
  if (piece.unit === 'block') return { block: piece.block }
  if (piece.unit === 'chars') return { text: piece.text.slice(offset, end) }
  const cut = Array.from({ length: end - offset }, (_, at) => piece.cuts.get(offset + at) ?? []).flat()
  const run = joinEntries(piece, piece.entries.slice(offset, end))
  return { [piece.unit]: run, ...(cut.length === 0 ? {} : { cut }) }
}

/**
 * Turns a page into the result of `read_result`. A content block is put only into `content`, because an image would
 * otherwise appear twice. Any other value is put into both `content` and `structuredContent`, because its text alone
 * could also be a text block that happens to contain JSON.
 */
export function answerPage(page: Page): Json {
  const { block, ...rest } = page
  const note = { type: 'text', text: writeNote(page) }
  if (isContentBlock(block)) return { content: [block, note], structuredContent: rest }
  return { content: [{ type: 'text', text: textOf(page) }, note], structuredContent: { ...page } }
}

/** Whether a value is a content block. Servers can also put other values into `content`. */
function isContentBlock(block: unknown): block is Json {
  return isJsonObject(block) && typeof block.type === 'string'
}

function textOf({ text, items, members, block }: Page): string {
  return text ?? writeJson(items ?? members ?? block)
}

function writeNote({ handle, part, unit, total, offset, cut, next, ...page }: Page): string {
  const count = page.text?.length ?? Object.keys(page.items ?? page.members ?? {}).length
  const range = `${NAMES[unit]} ${group(offset + 1)}–${group(offset + count)} of ${group(total)}`
  const sentences = [
    unit === 'block' ? `Part ${JSON.stringify(part)}.` : `Part ${JSON.stringify(part)}: ${range}.`,
    ...(cut === undefined ? [] : ['Values shown as null are separate parts, listed in `cut`.']),
    next === undefined
      ? 'End of the result.'
      : `Continue with read_result ${JSON.stringify({ handle, cursor: next })}`,
  ]
  return `[${sentences.join(' ')}]`
}

const NAMES = { chars: 'characters', items: 'items', members: 'members', block: 'block' } as const

export function group(count: number): string {
  return count.toLocaleString('en-US')
}
