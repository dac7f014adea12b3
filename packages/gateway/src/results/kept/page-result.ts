import { type CursorOf, type Position, readCursor, writeCursor } from './cursor.ts'
import { type Cut, joinEntries, type Piece, type Unit } from './piece.ts'
import type { ReadRequest, RequestProblem } from './read-request.ts'
import { endOfRun, type ShelvedPiece } from './shelve.ts'

/** What is read from: a kept result, taken apart for pages of `chars` characters. */
export interface Pages extends CursorOf {
  readonly tool: string
  readonly pieces: readonly ShelvedPiece[]
}

/** A page of one part. Exactly one of `text`, `items`, `members` and `block` is there, as `unit` says. */
export interface Page {
  readonly handle: string
  readonly tool: string
  readonly part: string
  readonly unit: Unit
  /** In units, of the whole part. */
  readonly total: number
  readonly offset: number
  readonly text?: string
  readonly items?: unknown
  readonly members?: unknown
  readonly block?: unknown
  /** Where this page has `null` because a part of its own has the value. */
  readonly cut?: readonly Cut[]
  /** The cursor of the next page; absent on the last. */
  readonly next?: string
}

/** Where a page begins, and which runs have it. */
export interface Place extends Position {
  readonly piece: ShelvedPiece
  readonly run: number
}

/** A page ends in the run after the one it begins in, at the latest: more than that run takes has no room on a page. */
export const RUNS_OF_A_PAGE = 2

/**
 * The page that is asked for: from the cursor on, or from the start of a part, or the first of all. Without a part,
 * pages go on from part to part until all has been read.
 */
export function findPage(pages: Pages, request: ReadRequest): Place | RequestProblem {
  const position = findPosition(pages, request)
  if ('problem' in position) return position
  const { index, offset } = position
  const piece = pages.pieces[index]
  if (piece === undefined || offset > Math.max(0, piece.total - 1)) return BAD_CURSOR
  return { index, offset, piece, run: piece.starts.findLastIndex(start => start <= offset) }
}

/** The page at a place, from a stretch of the piece that begins with the run of that place. */
export function showPage(pages: Pages, request: ReadRequest, place: Place & { stretch: Piece }): Page {
  const { index, offset, piece, run, stretch } = place
  const start = piece.starts[run] ?? 0
  const { limit = Number.POSITIVE_INFINITY } = request
  const end = start + endOfRun(stretch, offset - start, { chars: pages.chars, limit })
  const next = findNext(pages.pieces, { index, offset: end }, request.part !== undefined)
  const { handle, tool } = pages
  const { part, unit, total } = piece
  return {
    ...{ handle, tool, part, unit, total, offset },
    ...showRun(stretch, offset - start, end - start),
    ...(next === undefined ? {} : { next: writeCursor(next, pages) }),
  }
}

const BAD_CURSOR: RequestProblem = {
  problem: 'cursor',
  text: 'This cursor is not one of this result. Take `next` from the page before, unchanged, or leave the cursor out to begin again.',
}

function findPosition(pages: Pages, { cursor, part }: ReadRequest): Position | RequestProblem {
  if (cursor === undefined) return part === undefined ? { index: 0, offset: 0 } : findPart(pages, part)
  const position = readCursor(cursor, pages)
  if (position === undefined) return BAD_CURSOR
  if (part === undefined || pages.pieces[position.index]?.part === part) return position
  return { problem: 'part', text: 'This cursor is of another part. Leave out the one or the other.' }
}

function findPart({ pieces }: Pages, part: string): Position | RequestProblem {
  const index = pieces.findIndex(piece => piece.part === part)
  if (index >= 0) return { index, offset: 0 }
  const known = pieces.slice(0, 5).map(piece => JSON.stringify(piece.part.slice(0, 100)))
  const more = pieces.length > known.length ? ', …' : ''
  return {
    problem: 'part',
    text: `This result has no such part; it has ${known.join(', ')}${more}. Others are named in \`cut\`, beginning with part "".`,
  }
}

/** The place after a page: further on in the piece, or at the start of the next. */
function findNext(
  pieces: readonly ShelvedPiece[],
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
