import { Pieces } from '../../base/pieces.ts'

const NEWLINE = 10
/** How many bytes to keep from each end of a line that is too long. */
const END = 256
/** A line is read up to this many times the limit while the gateway looks for its end. */
const MOST_SKIPPED = 8

/** A line that is too long, or the part of it that has arrived if the line does not end. */
export interface Skipped {
  readonly head: string
  readonly tail: string
  readonly isEnded: boolean
}

/** Splits a byte stream into lines. `onEmpty` is called with a number of empty lines. */
export function createLineSplitter(
  maxBytes: number,
  onLine: (line: string) => void,
  onTooLong: (skipped: Skipped) => void,
  onEmpty: (lines: number) => void = () => {},
) {
  const pieces = new Pieces()
  let size = 0
  let head: string | undefined
  let tail: Buffer = NOTHING
  let isEndless = false

  const skip = (part: Buffer): void => {
    tail = Buffer.concat([tail, part.subarray(-END)]).subarray(-END)
    if (isEndless || size <= MOST_SKIPPED * maxBytes) return
    isEndless = true
    onTooLong({ head: head ?? '', tail: '', isEnded: false })
  }
  const keep = (part: Buffer): void => {
    size += part.length
    if (head !== undefined) return skip(part)
    if (size <= maxBytes) {
      if (part.length > 0) pieces.add(part)
      return
    }
    head = Buffer.concat([pieces.start(END), part.subarray(0, END)]).toString('latin1', 0, END)
    pieces.clear()
    skip(part)
  }
  const finish = (): void => {
    const line = head === undefined && size > 0 ? pieces.toString() : ''
    const skipped = head === undefined || isEndless ? undefined : { head, tail: tail.toString('latin1') }
    pieces.clear()
    size = 0
    head = undefined
    tail = NOTHING
    isEndless = false
    if (skipped !== undefined) onTooLong({ ...skipped, isEnded: true })
    else if (line !== '') onLine(line)
  }

  return (chunk: Buffer): void => {
    let from = size === 0 ? endOfEmpty(chunk, 0) : 0
    let empty = from
    for (let end = chunk.indexOf(NEWLINE, from); end >= 0; end = chunk.indexOf(NEWLINE, from)) {
      // Most lines arrive within one chunk, in which case they are not copied.
      if (size === 0 && end > from && end - from <= maxBytes) onLine(chunk.toString('utf8', from, end))
      else {
        keep(chunk.subarray(from, end))
        finish()
      }
      from = endOfEmpty(chunk, end + 1)
      empty += from - end - 1
    }
    keep(chunk.subarray(from))
    if (empty > 0) onEmpty(empty)
  }
}

const NOTHING = Buffer.alloc(0)

/** Returns the position after a run of line feeds. */
function endOfEmpty(chunk: Buffer, from: number): number {
  let at = from
  while (chunk[at] === NEWLINE) at += 1
  return at
}
