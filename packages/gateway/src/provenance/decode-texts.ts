import { isUtf8 } from 'node:buffer'

/** Minimum length of an encoded text that is decoded. Shorter ones cannot contain a sentence. */
const SHORTEST = 24
const BASE64 = /[A-Za-z0-9+/_-]{24,}={0,2}/g
const ONLY_BASE64 = /^[A-Za-z0-9+/_\s-]{8,}={0,2}\s*$/
const HEX = /^(?:[0-9a-f]{2})+$/i
const PERCENT = /%20|%3[aA]|\+\w+\+/
/** Matches text with at least three blanks and no control characters. Bytes that are not text rarely decode to that. */
const READABLE = /^(?=(?:\S+\s+){3})(?:[^\p{Cc}\ufffd]|[\t\n\r])+$/u
const STRETCH = /[\t\n\r\x20-\x7e]{16,}/g

/** Decodes the parts of a text that are in Base64, hexadecimal or percent encoding, because agents can read those. */
export function decodedTexts(text: string): string[] {
  const found: string[] = []
  for (const run of longRuns(text, SHORTEST))
    for (const [part] of run.matchAll(BASE64)) push(found, part, HEX.test(part) ? 'hex' : 'base64')
  if ((text.includes('%') || text.includes('+')) && PERCENT.test(text)) found.push(...unescaped(text))
  return found
}

/**
 * The text that a Base64 value decodes to: all of it, or else its readable parts. Undefined if the value is not Base64.
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

/**
 * The runs without blanks that have at least this length. Few texts have any: every such run covers a whole window of
 * this length, so most characters need not be looked at.
 */
export function longRuns(text: string, shortest: number): string[] {
  const runs: string[] = []
  for (let start = 0; start + shortest <= text.length; ) {
    const blank = lastBlank(text, start, start + shortest)
    if (blank !== -1) {
      start = blank + 1
      continue
    }
    let end = start + shortest
    while (end < text.length && text.charCodeAt(end) > 32) end += 1
    runs.push(text.slice(start, end))
    start = end + 1
  }
  return runs
}

function lastBlank(text: string, start: number, end: number): number {
  for (let at = end - 1; at >= start; at -= 1) if (text.charCodeAt(at) <= 32) return at
  return -1
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
