import { toLatin } from './look-alikes.ts'

/**
 * A text as the rules read it, with the way back: `at[i]` is where folded character `i` stands in the
 * original.
 */
export interface FoldedText {
  readonly folded: string
  readonly original: string
  /** One longer than `folded`, so that an end offset maps as well. Absent where nothing moved. */
  readonly at?: readonly number[]
}

/** Characters that show nothing: rules must read across them, as a model does. Blanks and line breaks are no such. */
const SHOWS_NOTHING = /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{M}]|(?![\t\n\v\f\r])\p{Cc}/u
/** Typographic marks as they are typed, so that “don’t” is “don't”. */
const TYPED = new Map([
  ...Array.from('‘’ʼ′＇', mark => [mark, "'"] as const),
  ...Array.from('“”„″＂«»', mark => [mark, '"'] as const),
  ...Array.from('‐‑‒–—−', mark => [mark, '-'] as const),
])
/** Anything but what is typed on every keyboard. */
const NOT_PLAIN = /[^\t\n\v\f\r -~]/

/**
 * Lower case, compatibility forms and look-alikes as plain letters, accents and invisible characters gone.
 * Character by character, because offsets must survive; a letter that folds to several maps them all to its
 * place.
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

/** The same without the way back, which is most of the work. */
export function foldPlainly(text: string): string {
  if (!NOT_PLAIN.test(text)) return text.toLowerCase()
  let folded = ''
  for (const character of text) folded += foldCharacter(character)
  return folded
}

/** What characters look like, by their codes: to find out takes long, and most texts have few kinds of them. */
const known: (string | undefined)[] = []
/** Nothing else has codes from here on but rare ideographs, which look like themselves, and what nobody has assigned. */
const LAST_KNOWN = 0x1ffff
/** Compatibility ideographs, and tags and selectors, which show nothing. */
const isRareFold = (code: number): boolean => (code >= 0x2f800 && code < 0x30000) || code >> 12 === 0xe0
/** There is a character that stands for eighteen; nobody reads them in it. */
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

/** Where a stretch of the folded text stands in the original; the end is that of its last character. */
export function toOriginalSpan(text: FoldedText, start: number, end: number): readonly [number, number] {
  if (text.at === undefined) return [start, end]
  const from = text.at[start] ?? text.original.length
  const last = end > start ? (text.at[end - 1] ?? from) : from
  return [from, Math.min(text.original.length, last + lengthAt(text.original, last))]
}

function lengthAt(text: string, at: number): number {
  return (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1
}
