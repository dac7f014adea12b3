import { toLatin } from './look-alikes.ts'

/**
 * A text in the form that the rules read, with offsets: `at[i]` is the position in the original text of character `i`
 * of `folded`.
 */
export interface FoldedText {
  readonly folded: string
  readonly original: string
  /** One element longer than `folded`, because end offsets are mapped too. Absent if all positions are unchanged. */
  readonly at?: readonly number[]
}

/** Matches invisible characters, which rules must skip as a model does. Spaces and line breaks are not included. */
const SHOWS_NOTHING = /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{M}]|(?![\t\n\v\f\r])\p{Cc}/u
/** Typographic characters and their plain forms: “don’t” becomes “don't”. */
const TYPED = new Map([
  ...Array.from('‘’ʼ′＇', mark => [mark, "'"] as const),
  ...Array.from('“”„″＂«»', mark => [mark, '"'] as const),
  ...Array.from('‐‑‒–—−', mark => [mark, '-'] as const),
])
/** Matches any character that is not printable ASCII or white space. */
const NOT_PLAIN = /[^\t\n\v\f\r -~]/

/**
 * Folds a text: lower case, compatibility forms and look-alikes replaced by plain letters, accents and invisible
 * characters removed. This is done character by character to keep the offsets. If one character folds to several, all
 * of them map to its position.
 */
export function foldText(original: string): FoldedText {
  if (!NOT_PLAIN.test(original)) return { folded: original.toLowerCase(), original }
  const at: number[] = []
  let folded = ''
  let offset = 0
  for (const character of original) {
    const plain = foldCharacter(character)
    folded += plain
    for (let count = 0; count < plain.length; count += 1) at.push(offset)
    offset += character.length
  }
  at.push(offset)
  return { folded, original, at }
}

/** Folds a text without computing offsets, which are most of the work. */
export function foldPlainly(text: string): string {
  if (!NOT_PLAIN.test(text)) return text.toLowerCase()
  let folded = ''
  for (const character of text) folded += foldCharacter(character)
  return folded
}

/** A cache by code point. Folding a character is slow, and most texts contain few different ones. */
const known: (string | undefined)[] = []
/** The last code point that is cached. Higher ones are rare ideographs that fold to themselves, or unassigned. */
const LAST_KNOWN = 0x1ffff
/** Returns true for the higher code points that do fold: compatibility ideographs, invisible tags and selectors. */
const isRareFold = (code: number): boolean => (code >= 0x2f800 && code < 0x30000) || code >> 12 === 0xe0
/**
 * Maximum number of characters that one character can fold to. A ligature that would expand to eighteen is left as it
 * is.
 */
const LONGEST = 6

function foldCharacter(character: string): string {
  const code = character.codePointAt(0) ?? 0
  if (code > LAST_KNOWN) return isRareFold(code) ? foldAnew(character) : character
  const found = known[code]
  if (found !== undefined) return found
  const folded = foldAnew(character)
  known[code] = folded
  return folded
}

function foldAnew(character: string): string {
  const typed = TYPED.get(character)
  if (typed !== undefined) return typed
  if (SHOWS_NOTHING.test(character)) return ''
  let plain = ''
  for (const part of character.normalize('NFKD').toLowerCase()) {
    if (!SHOWS_NOTHING.test(part)) plain += toLatin(part)
  }
  return plain.slice(0, LONGEST)
}

/** Returns the original span of a span in the folded text. It ends where the span's last character ends. */
export function toOriginalSpan(text: FoldedText, start: number, end: number): readonly [number, number] {
  if (text.at === undefined) return [start, end]
  const from = text.at[start] ?? text.original.length
  const last = end > start ? (text.at[end - 1] ?? from) : from
  return [from, Math.min(text.original.length, last + lengthAt(text.original, last))]
}

function lengthAt(text: string, at: number): number {
  return (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1
}
