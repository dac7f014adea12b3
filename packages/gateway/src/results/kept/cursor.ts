import { createHash } from 'node:crypto'

/** A place in a kept result: so far into the piece of that number. */
export interface Position {
  readonly index: number
  readonly offset: number
}

/** What a cursor is good for: agents mix up results, and pieces depend on the length of a page. */
export interface CursorOf {
  readonly handle: string
  readonly chars: number
}

const CURSOR = /^([0-9a-z]{1,8})-([0-9a-z]{1,8})-[\w-]{6}$/

/** `0-9ig-x7Tq_3`. The end is a checksum: a cursor that was changed or is of another result does not pass for good. */
export function writeCursor({ index, offset }: Position, { handle, chars }: CursorOf): string {
  const place = `${index.toString(36)}-${offset.toString(36)}`
  const sum = createHash('sha256').update(`${handle} ${chars} ${place}`).digest('base64url')
  return `${place}-${sum.slice(0, 6)}`
}

/** Undefined unless it is, character for character, one that was written for that result. */
export function readCursor(cursor: string, of: CursorOf): Position | undefined {
  const [, index = '', offset = ''] = CURSOR.exec(cursor) ?? []
  const position = { index: Number.parseInt(index, 36), offset: Number.parseInt(offset, 36) }
  return Number.isNaN(position.index) || writeCursor(position, of) !== cursor ? undefined : position
}
