import { Pieces } from './pieces.ts'

const NEWLINE = 10

/** Cuts a byte stream into lines. `onEmpty` is told of lines with nothing in them, which are nobody's. */
export function createLineSplitter(
  maxBytes: number,
  onLine: (line: string) => void,
  onTooLong: () => void,
  onEmpty: (lines: number) => void = () => {},
) {
  const pieces = new Pieces()
  let size = 0
  let isSkipping = false

  const keep = (part: Buffer): void => {
    size += part.length
    if (size > maxBytes && !isSkipping) {
      isSkipping = true
      pieces.clear()
      onTooLong()
    }
    if (!isSkipping && part.length > 0) pieces.add(part)
  }
  const finish = (): void => {
    const line = !isSkipping && size > 0 ? pieces.toString() : ''
    pieces.clear()
    size = 0
    isSkipping = false
    if (line !== '') onLine(line)
  }

  return (chunk: Buffer): void => {
    let from = size === 0 && !isSkipping ? endOfEmpty(chunk, 0) : 0
    let empty = from
    for (let end = chunk.indexOf(NEWLINE, from); end >= 0; end = chunk.indexOf(NEWLINE, from)) {
      // Most lines come whole, and need not be kept.
      if (size === 0 && !isSkipping && end > from && end - from <= maxBytes)
        onLine(chunk.toString('utf8', from, end))
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

/** Where something stands that is no line feed. */
function endOfEmpty(chunk: Buffer, from: number): number {
  let at = from
  while (chunk[at] === NEWLINE) at += 1
  return at
}
