import { isUtf8 } from 'node:buffer'

/** Encoded texts shorter than this are not decoded, because they cannot contain a sentence. */
const SHORTEST = 24
const ONLY_BASE64 = /^[A-Za-z0-9+/_\s-]{8,}={0,2}\s*$/
const HEX = /^(?:[0-9a-f]{2})+$/i
const PERCENT = /%20|%3[aA]|\+\w+\+/
/**
 * Matches text with at least three blanks and no control characters. Bytes that are not text rarely decode to something
 * like this.
 */
const READABLE = /^(?=(?:\S+\s+){3})(?:[^\p{Cc}\ufffd]|[\t\n\r])+$/u
const STRETCH = /[\t\n\r\x20-\x7e]{16,}/g

/** Decodes the parts of a text that are in Base64, hexadecimal or percent encoding, because agents can read those. */
export function decodedTexts(text: string): string[] {
  const found: string[] = []
  for (const word of codedWords(text, SHORTEST)) push(found, word, HEX.test(word) ? 'hex' : 'base64')
  if ((text.includes('%') || text.includes('+')) && PERCENT.test(text)) found.push(...unescaped(text))
  return found
}

/**
 * Returns the text encoded in a Base64 value: all of it, or otherwise its readable parts. Returns undefined if the
 * value is not Base64.
 */
export function textOfBytes(value: string): string | undefined {
  if (!ONLY_BASE64.test(value)) return undefined
  const bytes = Buffer.from(value, 'base64')
  if (isUtf8(bytes)) return bytes.toString('utf8')
  const stretches =
    bytes
      .toString('latin1')
      .match(STRETCH)
      ?.filter(part => READABLE.test(part)) ?? []
  return stretches.join('\n\n')
}

/** The ASCII characters of Base64, with the two forms of its last signs, and of hexadecimal. */
const CODED = Uint8Array.from({ length: 128 }, (_, code) =>
  /[A-Za-z0-9+/_-]/.test(String.fromCharCode(code)) ? 1 : 0,
)

/**
 * Returns the words of at least this length that could be Base64 or hexadecimal. Few texts have any. The scan skips most
 * characters: a window of this length that contains another character cannot contain such a word.
 */
export function codedWords(text: string, shortest: number): string[] {
  const words: string[] = []
  for (let start = 0; start + shortest <= text.length; ) {
    const other = lastOther(text, start, start + shortest)
    if (other !== -1) {
      start = other + 1
      continue
    }
    let end = start + shortest
    while (end < text.length && isCoded(text.charCodeAt(end))) end += 1
    const padded = end + (text.startsWith('==', end) ? 2 : text.startsWith('=', end) ? 1 : 0)
    words.push(text.slice(start, padded))
    start = padded
  }
  return words
}

function lastOther(text: string, start: number, end: number): number {
  for (let at = end - 1; at >= start; at -= 1) if (!isCoded(text.charCodeAt(at))) return at
  return -1
}

function isCoded(code: number): boolean {
  return code < 128 && CODED[code] === 1
}

function push(found: string[], part: string, encoding: 'base64' | 'hex'): void {
  const bytes = Buffer.from(part, encoding)
  const text = isUtf8(bytes) ? bytes.toString('utf8') : ''
  if (READABLE.test(text)) found.push(text)
}

function unescaped(text: string): string[] {
  const spaced = text.replace(/(?:%[0-9a-f]{2})+/gi, part => {
    try {
      return decodeURIComponent(part)
    } catch {
      return part
    }
  })
  return spaced === text ? [] : [spaced]
}
