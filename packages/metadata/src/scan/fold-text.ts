import { toLatin } from './look-alikes.ts'

/**
 * A text as the rules read it, with offsets: `at[i]` is the position of folded character `i` in the original.
 */
export interface FoldedText {
  readonly folded: string
  readonly original: string
  /** One longer than `folded`, so that an end offset maps as well. Absent if no position changed. */
  readonly at?: readonly number[]
}

/** Invisible characters: rules must read across them, as a model does. Spaces and line breaks are not among them. */
const SHOWS_NOTHING = /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{M}]|(?![\t\n\v\f\r])\p{Cc}/u
/** Typographic marks as plain ones, so that “don’t” is “don't”. */
const TYPED = new Map([
  ...Array.from('‘’ʼ′＇', mark => [mark, "'"] as const),
  ...Array.from('“”„″＂«»', mark => [mark, '"'] as const),
  ...Array.from('‐‑‒–—−', mark => [mark, '-'] as const),
])
/** Anything that is not on every keyboard. */
const NOT_PLAIN = /[^\t\n\v\f\r -~]/

/**
 * Lower case, with compatibility forms and look-alikes as plain letters, without accents and invisible characters.
 * Character by character, because offsets must be kept; a letter that folds to several maps them all to its
 * position.
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

/** The same without offsets, which are most of the work. */
export function foldPlainly(text: string): string {
  if (!NOT_PLAIN.test(text)) return text.toLowerCase()
  let folded = ''
  for (const character of text) folded += foldCharacter(character)
  return folded
}

/** A cache by code point, because folding a character is slow and most texts have few different ones. */
const known: (string | undefined)[] = []
/** Higher code points are rare ideographs, which fold to themselves, and unassigned ones. */
const LAST_KNOWN = 0x1ffff
/** Compatibility ideographs, and invisible tags and selectors. */
const isRareFold = (code: number): boolean => (code >= 0x2f800 && code < 0x30000) || code >> 12 === 0xe0
/** One character expands to eighteen others; it is not expanded. */
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

/** The original span of a folded span; its end is that of the last character. */
export function toOriginalSpan(text: FoldedText, start: number, end: number): readonly [number, number] {
  if (text.at === undefined) return [start, end]
  const from = text.at[start] ?? text.original.length
  const last = end > start ? (text.at[end - 1] ?? from) : from
  return [from, Math.min(text.original.length, last + lengthAt(text.original, last))]
}

function lengthAt(text: string, at: number): number {
  return (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1
}
