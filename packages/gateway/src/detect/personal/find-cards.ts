import { codeAt, DIGITS, isDigit, isSeparator, isWordCode, nextPlace } from '../text/characters.ts'
import type { Finding } from '../text/finding.ts'
import { type Cues, hasCue } from '../text/surroundings.ts'

const MIN_DIGITS = 12
const MAX_DIGITS = 19
/**
 * Matches the first digits of the card networks: Visa, Mastercard, Amex, Diners, Discover, JCB, UnionPay, Maestro, Mir,
 * RuPay.
 */
const NETWORK =
  /^(?:4|5[1-5]|2(?:2[2-9]|[3-6]|7[01]|720)|3[47]|3(?:0[0-5]|[689])|6(?:011|4[4-9]|5)|35|62|5[06-9]|6[0-9]|220[0-4]|8[12])/
const USUAL_LENGTHS = new Set([15, 16])
const CUES: Cues = {
  before: /card|\bcc\b|credit|debit|visa|mastercard|amex|maestro|payment|billed|karte|carte|tarjeta|carta/i,
}

/** Matches the lengths of a card number's groups: ungrouped, in fours, or as Amex and Diners print them. */
const LAYOUT = /^(?:\d\d|4([ .-])4\1(?:4\1){1,2}[1-4]|4([ .-])6\2[45])$/
/** Matches groups of any length, which are accepted only at the beginning of a row of digit groups. */
const ANY_GROUPS = /^\d+(?:[ -]\d+)*$/

/** The position of a group in a row of digit groups. */
interface GroupStart {
  readonly start: number
  readonly isFirst: boolean
  /**
   * True if the group is a whole number of cards from the start of the row. Otherwise, every table of four-digit groups
   * would contain cards.
   */
  readonly isAligned: boolean
}

/**
 * Finds payment card numbers. They have a network's first digits and a valid check digit; unusual lengths also need a
 * cue word.
 */
export function findCards(text: string): readonly Finding[] {
  const found: Finding[] = []
  let next = -1
  let fours = 0
  for (let start = nextPlace(DIGITS, text, 0); start < text.length; start = nextPlace(DIGITS, text, next)) {
    const isFirst = start !== next
    if (isFirst) {
      fours = 0
      next = endOfShortRow(text, start)
      if (next > start) continue
    }
    const card = findFrom(text, { start, isFirst, isAligned: fours % 4 === 0 })
    if (card !== undefined) found.push(card)
    const end = card?.end ?? endOfDigits(text, start, text.length)
    fours = card === undefined && end - start === 4 ? fours + 1 : 0
    next = overGap(text, end)
  }
  return found
}

/** Returns the end of a row if it has too few digits for a card, as most rows do, or its start if it has enough. */
function endOfShortRow(text: string, start: number): number {
  let at = start
  for (let digits = 1; digits < MIN_DIGITS; digits += 1) {
    at += 1
    if (isDigit(codeAt(text, at))) continue
    const next = overGap(text, at)
    if (next === at) return at
    at = next
  }
  return start
}

/** Finds the longest card number that starts here and ends where a group of digits ends. An expiry date can follow it. */
function findFrom(text: string, group: GroupStart): Finding | undefined {
  const { start, isFirst } = group
  if (!mayBegin(text, start)) return undefined
  const ends = endsFrom(text, start, isFirst)
  for (let at = ends.length - 1; at >= 0; at -= 1) {
    const finding = judge(text, ends[at] ?? start, group)
    if (finding !== undefined) return finding
  }
  return undefined
}

/** True if a card number can start here, which is not inside a word or a longer number. */
function mayBegin(text: string, at: number): boolean {
  const before = codeAt(text, at - 1)
  return !isWordCode(before) && before !== DOT && before !== PLUS
}

const PLUS = 43
const MINUS = 45
const DOT = 46
const ZERO = 48
const NONE: readonly number[] = []

/**
 * Returns the ends of groups at which the digits so far form a card number with a valid check digit. Reads at most as
 * far as the longest card number, however long the row is.
 */
function endsFrom(text: string, start: number, isFirst: boolean): readonly number[] {
  if (!isFirst && !mayLead(text, start)) return NONE
  let ends: number[] | undefined
  let digits = 0
  let at = start
  // The Luhn check doubles every second digit. These are the sums if the last digit counts once, and if it counts
  // double.
  let once = 0
  let double = 0
  while (digits <= MAX_DIGITS) {
    const digit = codeAt(text, at) - ZERO
    const sum = double + digit
    double = once + (digit > 4 ? digit * 2 - 9 : digit * 2)
    once = sum
    digits += 1
    at += 1
    if (isDigit(codeAt(text, at))) continue
    if (digits >= MIN_DIGITS && digits <= MAX_DIGITS && once % 10 === 0 && !isWordCode(codeAt(text, at)))
      ends = [...(ends ?? NONE), at]
    const next = overGap(text, at)
    if (next === at) break
    at = next
  }
  return ends ?? NONE
}

/** True if a number inside a row starts like a card: ungrouped, or with a group of four. */
function mayLead(text: string, start: number): boolean {
  const digits = endOfDigits(text, start, start + MIN_DIGITS) - start
  return digits === 4 || digits === MIN_DIGITS
}

function endOfDigits(text: string, from: number, limit: number): number {
  let at = from
  while (at < limit && isDigit(codeAt(text, at))) at += 1
  return at
}

/** Maximum length of a gap between groups: two blanks, or a dash between blanks. */
const LONGEST_GAP = 3

/** Returns the start of the next group in a row, or `from` if there is none. */
function overGap(text: string, from: number): number {
  let at = from
  while (at < from + LONGEST_GAP && isSeparator(codeAt(text, at))) at += 1
  return isDigit(codeAt(text, at)) ? at : from
}

function judge(text: string, end: number, { start, isFirst, isAligned }: GroupStart): Finding | undefined {
  const written = text.slice(start, end)
  const digits = written.replaceAll(/\D+/g, '')
  const isUsual = USUAL_LENGTHS.has(digits.length)
  if (!(isUsual || isAligned) || !NETWORK.test(digits) || new Set(digits).size < 2) return undefined
  const isOnePiece = written === digits
  const isLaidOut = hasLayout(written, digits.length) && (!isOnePiece || mayEnd(text, end))
  if (!isLaidOut && !(isFirst && ANY_GROUPS.test(written) && mayEnd(text, end))) return undefined
  const isCued = hasCue(text, { start, end }, CUES)
  const isTelling = isUsual && (isAligned || isOnePiece) && (isLaidOut || overGap(text, end) === end)
  return isCued || isTelling ? { rule: 'card', start, end, confidence: isCued ? 0.98 : 0.85 } : undefined
}

const MOST_GAPS = 4
const PARTS = /\d+|\D+/g

function hasLayout(written: string, digits: number): boolean {
  if (written.length - digits > MOST_GAPS * LONGEST_GAP) return false
  return LAYOUT.test(written.replaceAll(PARTS, outlineOf))
}

/**
 * Describes a part of a number: a group by its length, a separator by a plain one, so that a whole number gives
 * `4-4-4-4`.
 */
function outlineOf(part: string): string {
  if (isDigit(part.charCodeAt(0))) return String(part.length)
  if (part.includes('.')) return '.'
  return /\p{Pd}/u.test(part) ? '-' : ' '
}

/** True if a card number can end here, which is not before a dot or dash that another digit follows. */
function mayEnd(text: string, at: number): boolean {
  const after = codeAt(text, at)
  return !((after === DOT || after === MINUS) && isDigit(codeAt(text, at + 1)))
}
