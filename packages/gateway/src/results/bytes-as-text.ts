import { isUtf8 } from 'node:buffer'

/**
 * Bytes as a text of UTF-8 from which they can be made again, all of them: a byte that is none of UTF-8 is half a surrogate
 * pair, U+DC80 to U+DCFF, which no UTF-8 has. (Python calls that `surrogateescape`.)
 *
 * @example
 * textOfBytes(Buffer.from([0x61, 0xff])) // => 'a\uDCFF'
 */
export function textOfBytes(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString('utf8')
  const parts: string[] = []
  let done = 0
  for (let at = 0; at < bytes.length; ) {
    const length = lengthAt(bytes, at)
    if (length === 0) {
      if (done < at) parts.push(bytes.toString('utf8', done, at))
      parts.push(String.fromCharCode(ESCAPE + (bytes[at] ?? 0)))
      done = at + 1
    }
    at += Math.max(1, length)
  }
  parts.push(bytes.toString('utf8', done))
  return parts.join('')
}

/** The bytes that a text was made of, with whatever has been changed in it. */
export function bytesOfText(text: string): Buffer {
  if (text.isWellFormed()) return Buffer.from(text, 'utf8')
  const parts: Buffer[] = []
  let done = 0
  for (const { 0: escaped, index } of text.matchAll(ESCAPED)) {
    parts.push(Buffer.from(text.slice(done, index), 'utf8'))
    parts.push(Buffer.from(Uint8Array.from(escaped, unit => unit.charCodeAt(0) - ESCAPE)))
    done = index + escaped.length
  }
  return Buffer.concat([...parts, Buffer.from(text.slice(done), 'utf8')])
}

const ESCAPE = 0xdc00
/** With `u`, the second half of a pair is none of these. */
const ESCAPED = /[\uDC80-\uDCFF]+/gu

/** How many bytes the character of UTF-8 is long that begins here; none where there is no such. */
export function lengthAt(bytes: Uint8Array, at: number): number {
  const first = bytes[at] ?? 0
  if (first < 0x80) return 1
  const length = first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0
  for (let next = 1; next < length; next += 1) if (((bytes[at + next] ?? 0) & 0xc0) !== 0x80) return 0
  return isTooShortOrHigh(first, bytes[at + 1] ?? 0) ? 0 : length
}

/** What could be written in fewer bytes, halves of pairs, and what is beyond the last character, are no UTF-8. */
function isTooShortOrHigh(first: number, second: number): boolean {
  if (first === 0xe0) return second < 0xa0
  if (first === 0xed) return second >= 0xa0
  if (first === 0xf0) return second < 0x90
  return first === 0xf4 && second >= 0x90
}
