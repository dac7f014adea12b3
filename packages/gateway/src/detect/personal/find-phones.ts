import { isDigit } from '../text/characters.ts'
import type { Finding } from '../text/finding.ts'
import { type Cues, hasCue, watchFor } from '../text/surroundings.ts'

const CANDIDATE =
  /(?<![\w./:$€£#-]|\d,)(?:\+|00|\()?\d[\d ().\-/]{4,22}\d(?: ?(?:x|ext\.?|#) ?\d{1,6})?(?![\d\p{L}%]|[.,]\d)/gu
const NORTH_AMERICAN = /^(?:\+?1[ .-]?)?(?:\([2-9]\d{2}\) ?|[2-9]\d{2}[ .-])[2-9]\d{2}[ .-]\d{4}(?!\d)/
const DATE = /^(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{4})(?!\d)/
/** Matches a domestic number with a leading zero, as most countries write them. */
const TRUNK = /^\(?0[1-9]\d{0,4}\)?[ \-/]\d/
const WORDS =
  /(?:phone|tel(?:ephone|[.:])|\bcall(?:ed|ing)?\b|mobile|\bcell|\bfax|dial|\bring\b|whatsapp|\bsms\b|answer\w{0,4}|hotline|\breach\b|contact|desk|office|landline|handy|telefon\w{0,3}|t[ée]l[ée]phone|m[óo]vil|celular|\btel\b|\bph\b)/gi
const AFTER = /^[ \-–(,/]{1,3}(?:office|fax|mobile|cell|home|work|phone|tel|direct|desk|main)\b/i
const CUES: Cues = {
  before: new RegExp(`${WORDS.source}[^\\n]{0,24}\\n?[^\\n]{0,8}$`, 'i'),
  after: AFTER,
}

/** The cues to look for if no cue word precedes the number. */
const CUES_AFTER: Cues = { before: /(?!)/, after: AFTER }

/** Finds phone numbers, by their form or by the words around them. */
export function findPhones(text: string): readonly Finding[] {
  const found: Finding[] = []
  const isNearCue = watchFor(WORDS, text)
  for (const { 0: written, index } of text.matchAll(CANDIDATE)) {
    const place = { start: index, end: index + written.length }
    const confidence = judge(written, () => isCued(text, place, isNearCue))
    if (confidence > 0) found.push({ rule: 'phone', ...place, confidence })
  }
  return found
}

function isCued(
  text: string,
  place: { start: number; end: number },
  isNear: (at: number) => boolean,
): boolean {
  return hasCue(text, place, isNear(place.start) ? CUES : CUES_AFTER)
}

const MIN_DIGITS = 7
const MAX_DIGITS = 15
function judge(written: string, isCued: () => boolean): number {
  const digits = countDigits(written)
  if (digits < MIN_DIGITS || digits > MAX_DIGITS || DATE.test(written) || !isBalanced(written)) return 0
  if (written.startsWith('+')) return digits > 7 ? 0.9 : 0.5
  if (NORTH_AMERICAN.test(written)) return 0.85
  if (isCued()) return 0.75
  if (digits >= 9 && digits <= 12 && TRUNK.test(written)) return 0.6
  return 0
}

/** Returns the number of digits, without those of an extension. */
function countDigits(written: string): number {
  let digits = 0
  for (let at = 0; at < written.length; at += 1) {
    const code = written.charCodeAt(at)
    if (isDigit(code)) digits += 1
    else if (EXTENSION.has(code)) break
  }
  return digits
}

const EXTENSION: ReadonlySet<number> = new Set([...'x#e'].map(sign => sign.charCodeAt(0)))

function isBalanced(written: string): boolean {
  let open = 0
  for (let at = 0; at < written.length; at += 1) {
    const code = written.charCodeAt(at)
    if (code === 40) open += 1
    else if (code === 41) open -= 1
  }
  return open === 0 && !/[ .-]{3}|--|\.\.|\/\//.test(written)
}
