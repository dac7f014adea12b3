import { lengthAt } from './bytes-as-text.ts'

/** Of bytes: from here to before there. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

/** A byte that reads as nothing weighs as much as so many characters that read as something. */
const UNREADABLE = 2
/** Nothing shorter tells anything, and among bytes at random there is nothing as long. */
const LEAST = 16
/** Behind so much that reads as nothing, a stretch is over. */
const MOST_LOST = 64

/**
 * Where bytes that are no text as a whole read as one for a while: letters of UTF-8, with some bytes among them that are none.
 * One pass.
 *
 * @example
 * findStretches(Buffer.concat([noise, Buffer.from('the password is …'), noise])) // => [{ start: 300, end: 317 }]
 */
export function findStretches(bytes: Uint8Array): readonly ByteRange[] {
  const found: ByteRange[] = []
  let start = 0
  let end = 0
  let weight = 0
  let most = 0
  for (let at = 0; at < bytes.length; ) {
    const length = characterAt(bytes, at)
    at += length === 0 ? 1 : length
    weight += length === 0 ? -UNREADABLE : 1
    if (weight > most) {
      most = weight
      end = at
    } else if (weight <= 0 || most - weight > MOST_LOST) {
      if (most >= LEAST) found.push({ start, end })
      start = at
      weight = 0
      most = 0
    }
  }
  if (most >= LEAST) found.push({ start, end })
  return found
}

/** How many bytes the readable character is long that begins here; none where there is no such. */
function characterAt(bytes: Uint8Array, at: number): number {
  const first = bytes[at] ?? 0
  return first < 0x80 ? (IS_READ[first] ?? 0) : lengthAt(bytes, at)
}

/** Of ASCII all but control characters, of which tabs and the ends of lines are none here. */
const IS_READ = Uint8Array.from({ length: 0x80 }, (_, code) =>
  (code >= 0x20 && code !== 0x7f) || code === 0x09 || code === 0x0a || code === 0x0d ? 1 : 0,
)
