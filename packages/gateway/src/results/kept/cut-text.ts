/**
 * How far into a text one gets with so many characters of JSON, never ending between two surrogates.
 * `endOfFitting('a\n🦔', 0, 4)` is 2: the line break is written as two characters, and the hedgehog is two.
 */
export function endOfFitting(text: string, from: number, room: number): number {
  let at = from
  let left = room
  while (at < text.length) {
    const isPair = startsPair(text, at)
    left -= isPair ? 2 : writtenLength(text.charCodeAt(at))
    if (left < 0) break
    at += isPair ? 2 : 1
  }
  return at
}

/** Where a text may be cut at or before a place. */
export function beforePair(text: string, at: number): number {
  return startsPair(text, at - 1) ? at - 1 : at
}

function startsPair(text: string, at: number): boolean {
  return isHigh(text.charCodeAt(at)) && isLow(text.charCodeAt(at + 1))
}

/** As `JSON.stringify` writes it; a surrogate without its other half is escaped. */
function writtenLength(code: number): number {
  if (code === QUOTE || code === BACKSLASH) return 2
  if (code < 0x20) return SHORT_ESCAPES.has(code) ? 2 : 6
  return isHigh(code) || isLow(code) ? 6 : 1
}

const QUOTE = 34
const BACKSLASH = 92
const SHORT_ESCAPES = new Set([8, 9, 10, 12, 13])

function isHigh(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff
}

function isLow(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff
}
