import { Pieces } from './pieces.ts'

const NEWLINE = 10

/** Cuts a byte stream into lines. */
export function createLineSplitter(maxBytes: number, onLine: (line: string) => void, onTooLong: () => void) {
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
    let from = 0
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, from)) {
      // Most lines come whole, and need not be kept.
      if (size === 0 && !isSkipping && end > from && end - from <= maxBytes)
        onLine(chunk.toString('utf8', from, end))
      else {
        keep(chunk.subarray(from, end))
        finish()
      }
      from = end + 1
    }
    keep(chunk.subarray(from))
  }
}
