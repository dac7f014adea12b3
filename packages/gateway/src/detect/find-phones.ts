import type { Finding } from './finding.ts'
import { type Cues, hasCue } from './surroundings.ts'

const CANDIDATE =
  /(?<![\w./:$€£#-]|\d,)(?:\+|00|\()?\d[\d ().\-/]{4,22}\d(?: ?(?:x|ext\.?|#) ?\d{1,6})?(?![\d\p{L}%]|[.,]\d)/gu
const NORTH_AMERICAN = /^(?:\+?1[ .-]?)?(?:\([2-9]\d{2}\) ?|[2-9]\d{2}[ .-])[2-9]\d{2}[ .-]\d{4}(?!\d)/
const DATE = /^(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{4})(?!\d)/
/** A leading zero is how most countries write a number that is dialled at home. */
const TRUNK = /^\(?0[1-9]\d{0,4}\)?[ \-/]\d/
const CUES: Cues = {
  before:
    /(?:phone|tel(?:ephone|[.:])|\bcall(?:ed|ing)?\b|mobile|\bcell|\bfax|dial|\bring\b|whatsapp|\bsms\b|answer\w{0,4}|hotline|\breach\b|contact|desk|office|landline|handy|telefon\w{0,3}|t[ée]l[ée]phone|m[óo]vil|celular|\btel\b|\bph\b)[^\n]{0,24}\n?[^\n]{0,8}$/i,
  after: /^[ \-–(,/]{1,3}(?:office|fax|mobile|cell|home|work|phone|tel|direct|desk|main)\b/i,
}

/** Telephone numbers: written as such, or said to be one by the words around them. */
export function findPhones(text: string): readonly Finding[] {
  const found: Finding[] = []
  for (const { 0: written, index } of text.matchAll(CANDIDATE)) {
    const start = index
    const end = index + written.length
    const confidence = judge(written, () => hasCue(text, { start, end }, CUES))
    if (confidence > 0) found.push({ rule: 'phone', start, end, confidence })
  }
  return found
}

function judge(written: string, isCued: () => boolean): number {
  const digits = written.replace(/ ?[x#e].*$/, '').replaceAll(/\D/g, '').length
  if (digits < 7 || digits > 15 || DATE.test(written) || !isBalanced(written)) return 0
  if (written.startsWith('+')) return digits > 7 ? 0.9 : 0.5
  if (NORTH_AMERICAN.test(written)) return 0.85
  if (isCued()) return 0.75
  if (digits >= 9 && digits <= 12 && TRUNK.test(written)) return 0.6
  return 0
}

function isBalanced(written: string): boolean {
  return written.split('(').length === written.split(')').length && !/[ .-]{3}|--|\.\.|\/\//.test(written)
}
