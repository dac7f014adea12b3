import type { Stretch } from '../text/stretch.ts'

const CODES = {
  base64: { minRun: 20, pattern: /(?<![\w+/=-])[A-Za-z0-9+/]{20,400}={0,2}(?![\w+/=-])/g },
  hex: { minRun: 32, pattern: /(?<!\w)(?:[0-9a-f]{2}){16,200}(?!\w)/gi },
} as const
const READABLE = /^[\x20-\x7E\n]*$/

/** Letters that decode to words with spaces between them: nobody sends a sentence that way to a reader. */
export function findSpelt(text: string, code: keyof typeof CODES): Stretch | undefined {
  const { minRun, pattern } = CODES[code]
  if (!hasRun(text, minRun)) return undefined
  for (const { 0: written, index } of text.matchAll(pattern)) {
    const decoded = Buffer.from(written, code).toString('latin1')
    const spaces = decoded.split(' ').length - 1
    const isSentence = spaces > 1 && spaces * 16 > decoded.length && READABLE.test(decoded)
    if (isSentence) return { start: index, end: index + written.length }
  }
  return undefined
}

/** Whether letters and digits follow each other for so long anywhere: most texts are done with this. */
function hasRun(text: string, length: number): boolean {
  let run = 0
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    const isPart =
      (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 47 && code <= 57) || code === 43
    run = isPart ? run + 1 : 0
    if (run >= length) return true
  }
  return false
}
