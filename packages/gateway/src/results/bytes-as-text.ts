import { isUtf8 } from 'node:buffer'

/**
 * Decodes bytes as UTF-8 so that they can be restored exactly: an invalid byte becomes a lone surrogate from U+DC80 to
 * U+DCFF, which valid UTF-8 cannot contain. (Python calls this `surrogateescape`.)
 *
 * @example
 * textOfBytes(Buffer.from([0x61, 0xff])) // => 'a\uDCFF'
 */
export function textOfBytes(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString('utf8')
  // The code units go into one array. Every second byte can be invalid, and a separate string for each would take
  // seconds.
  const units = new Uint16Array(bytes.length)
  let count = 0
  for (let at = 0; at < bytes.length; ) {
    const length = lengthAt(bytes, at)
    const code = length === 0 ? ESCAPE + (bytes[at] ?? 0) : codeOf(bytes, at, length)
    if (code > LAST_UNIT) units[count++] = HIGH + ((code - LAST_UNIT - 1) >> 10)
    units[count++] = code > LAST_UNIT ? LOW + (code & 0x3ff) : code
    at += Math.max(1, length)
  }
  return Buffer.from(units.buffer, 0, count * 2).toString('utf16le')
}

/** Turns a text from `textOfBytes` back into bytes, including any changes made to the text. */
export function bytesOfText(text: string): Buffer {
  if (text.isWellFormed()) return Buffer.from(text, 'utf8')
  const bytes = Buffer.allocUnsafe(text.length * MOST_BYTES)
  let count = 0
  let done = 0
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at)
    if (unit >= HIGH && unit < LOW) at += 1
    else if (unit >= FIRST_ESCAPED && unit <= LAST_ESCAPED) {
      if (done < at) count += bytes.write(text.slice(done, at), count, 'utf8')
      bytes[count++] = unit - ESCAPE
      done = at + 1
    }
  }
  return bytes.subarray(0, count + bytes.write(text.slice(done), count, 'utf8'))
}

const ESCAPE = 0xdc00
const FIRST_ESCAPED = 0xdc80
const LAST_ESCAPED = 0xdcff
/** The first high surrogate. `LOW` is the first low surrogate. */
const HIGH = 0xd800
const LOW = 0xdc00
const LAST_UNIT = 0xffff
/** Maximum number of bytes that one code unit takes in UTF-8. */
const MOST_BYTES = 3

/**
 * Returns the code point of a UTF-8 sequence. Each continuation byte has six bits of it, and the first byte has the
 * rest.
 */
function codeOf(bytes: Uint8Array, at: number, length: number): number {
  const first = bytes[at] ?? 0
  let code = length === 1 ? first : first & (0x7f >> length)
  for (let next = 1; next < length; next += 1) code = (code << 6) | ((bytes[at + next] ?? 0) & 0x3f)
  return code
}

/** Returns the length in bytes of the UTF-8 sequence that begins here, or 0 if there is none. */
function lengthAt(bytes: Uint8Array, at: number): number {
  const first = bytes[at] ?? 0
  if (first < 0x80) return 1
  const length = first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0
  for (let next = 1; next < length; next += 1) if (((bytes[at + next] ?? 0) & 0xc0) !== 0x80) return 0
  return isTooShortOrHigh(first, bytes[at + 1] ?? 0) ? 0 : length
}

/**
 * True if these bytes begin an overlong sequence, a surrogate or a value above the last code point, all of which are
 * invalid.
 */
function isTooShortOrHigh(first: number, second: number): boolean {
  if (first === 0xe0) return second < 0xa0
  if (first === 0xed) return second >= 0xa0
  if (first === 0xf0) return second < 0x90
  return first === 0xf4 && second >= 0x90
}

/** A range of bytes; `end` is exclusive. */
interface ByteRange {
  readonly start: number
  readonly end: number
}

/** An unreadable byte counts as much as this many readable characters. */
const UNREADABLE = 2
/**
 * Minimum length of a stretch. A shorter one cannot carry a message, and random bytes hardly ever contain one of this
 * length.
 */
const LEAST = 16
/** A stretch ends after this many unreadable bytes in total. */
const MOST_LOST = 64

/**
 * Finds readable stretches in binary data, in a single pass. A stretch is UTF-8 text, with a few invalid bytes
 * tolerated.
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

/** Returns the length in bytes of the readable character that begins here, or 0 if there is none. */
function characterAt(bytes: Uint8Array, at: number): number {
  const first = bytes[at] ?? 0
  return first < 0x80 ? (IS_READ[first] ?? 0) : lengthAt(bytes, at)
}

/** A lookup table with 1 for printable ASCII, tabs and line breaks. */
const IS_READ = Uint8Array.from({ length: 0x80 }, (_, code) =>
  (code >= 0x20 && code !== 0x7f) || code === 0x09 || code === 0x0a || code === 0x0d ? 1 : 0,
)
