import type { Stretch } from '../text/stretch.ts'

const CODES = {
  base64: /(?<![\w+/=-])[A-Za-z0-9+/]{20,400}={0,2}(?![\w+/=-])/g,
  hex: /(?<!\w)(?:[0-9a-f]{2}){16,200}(?!\w)/gi,
} as const
const READABLE = /^[\x20-\x7E\n]*$/

/** Letters that decode to words with spaces between them: nobody sends a sentence that way to a reader. */
export function findSpelt(text: string, code: keyof typeof CODES): Stretch | undefined {
  if (text.search(CODES[code]) === -1) return undefined
  for (const { 0: written, index } of text.matchAll(CODES[code])) {
    const decoded = Buffer.from(written, code).toString('latin1')
    const spaces = decoded.split(' ').length - 1
    const isSentence = spaces > 1 && spaces * 16 > decoded.length && READABLE.test(decoded)
    if (isSentence) return { start: index, end: index + written.length }
  }
  return undefined
}
