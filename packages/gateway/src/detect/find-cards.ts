import { codeAt, DIGITS, isDigit, isWordCode, nextPlace } from './characters.ts'
import { passesLuhn } from './checksums.ts'
import type { Finding } from './finding.ts'
import type { Stretch } from './stretch.ts'
import { type Cues, hasCue } from './surroundings.ts'

const MIN_DIGITS = 12
const MAX_DIGITS = 19
/** First digits of the networks' ranges: Visa, Mastercard, Amex, Diners, Discover, JCB, UnionPay, Maestro, Mir, RuPay. */
const NETWORK =
  /^(?:4|5[1-5]|2(?:2[2-9]|[3-6]|7[01]|720)|3[47]|3(?:0[0-5]|[689])|6(?:011|4[4-9]|5)|35|62|5[06-9]|6[0-9]|220[0-4]|8[12])/
const USUAL_LENGTHS = new Set([15, 16])
const CUES: Cues = {
  before: /card|\bcc\b|credit|debit|visa|mastercard|amex|maestro|payment|billed|karte|carte|tarjeta|carta/i,
}

/** Payment cards: a network's first digits and the check digit, and a word for it where the length is unusual. */
export function findCards(text: string): readonly Finding[] {
  const found: Finding[] = []
  for (let at = nextPlace(DIGITS, text, 0); at < text.length; at = nextPlace(DIGITS, text, at + 1)) {
    if (!mayBegin(text, at)) continue
    const { start, end } = findNumber(text, at)
    const finding = start === end ? undefined : judge(text, start, end)
    if (finding !== undefined) found.push(finding)
    at = end - 1
  }
  return found
}

/** Not within a word or a longer number. */
function mayBegin(text: string, at: number): boolean {
  const before = codeAt(text, at - 1)
  return !isWordCode(before) && before !== DOT && before !== PLUS
}

const PLUS = 43
const MINUS = 45
const DOT = 46
const BLANK = 32

/**
 * The first number from here on, as long as it goes, that could be a card's: digits, with one blank or dash between them;
 * nothing, at the end of such a row, where there is none. A row is read once, however long it is.
 */
function findNumber(text: string, from: number): Stretch {
  let start = from
  let end: number | undefined
  let digits = 0
  let at = from
  while (isDigit(codeAt(text, at))) {
    digits += 1
    at += 1
    if (digits > MAX_DIGITS) {
      if (end !== undefined) break
      const next = nextBeginning(text, start, at)
      // One long number: no other begins in it.
      if (next.at === at) return { start: at, end: at }
      digits -= next.passed
      start = next.at
    }
    if (digits >= MIN_DIGITS && mayEnd(text, at)) end = at
    const code = codeAt(text, at)
    if (code === BLANK || code === MINUS) at += 1
  }
  return end === undefined ? { start: at, end: at } : { start, end }
}

/** Where the next number of a row may begin, and how many digits lie before it. */
function nextBeginning(
  text: string,
  from: number,
  limit: number,
): { readonly at: number; readonly passed: number } {
  let at = from
  let passed = 0
  do {
    if (isDigit(codeAt(text, at))) passed += 1
    at += 1
  } while (at < limit && !(isDigit(codeAt(text, at)) && mayBegin(text, at)))
  return { at, passed }
}

/** Not before a letter, another digit, or a dot or dash with one. */
function mayEnd(text: string, at: number): boolean {
  const after = codeAt(text, at)
  if (isWordCode(after)) return false
  return !((after === DOT || after === MINUS) && isDigit(codeAt(text, at + 1)))
}

function judge(text: string, start: number, end: number): Finding | undefined {
  const digits = text.slice(start, end).replaceAll(/\D/g, '')
  if (!NETWORK.test(digits) || !passesLuhn(digits) || new Set(digits).size < 2) return undefined
  const isCued = hasCue(text, { start, end }, CUES)
  if (!isCued && !USUAL_LENGTHS.has(digits.length)) return undefined
  return { rule: 'card', start, end, confidence: isCued ? 0.98 : 0.85 }
}
