import { toCompatible } from '@hintgate/metadata'

/**
 * Maximum length of a word. Longer ones are cut: they are hashes and encoded data, and queries never contain the end of
 * those.
 */
const MAX_WORD_LENGTH = 40

/**
 * Matches one part of a camelCase word: an acronym with an optional plural s (`PDFs`), a word, or anything else. Digits
 * stay with the part before them.
 */
const HUMP =
  /\p{Lu}+(?:s(?!\p{Ll}))?(?!\p{Ll})\p{N}*|\p{Lu}?[\p{Ll}\p{M}]+\p{N}*|\p{N}+|[\p{Lo}\p{Lm}\p{Lt}\p{Lu}\p{M}]+/gu

/** Matches text in scripts that put no spaces between words. */
const UNSPACED = /^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}ー]+$/u

const LETTERS_AND_DIGITS = /^[\p{L}\p{N}\p{M}]+$/u
/**
 * Accents are removed only from Latin letters. In other scripts, a letter with a mark is a different letter: й is not
 * и.
 */
const LATIN_ACCENT = /(?<=\p{sc=Latin})[\u0300-\u036f]+/gu
const FINAL_DIGITS = /\p{N}+$/u
const ASCII = /^[!-~]*$/

export interface SplitText {
  /** The words in lower case, in the order of the text. */
  readonly words: readonly string[]
  /**
   * The whole spellings of words that were split. `YouTube` gives the words "you" and "tube" and the whole spelling
   * "youtube".
   */
  readonly wholes: readonly string[]
}

/**
 * Splits text into words. `splitWords` from @hintgate/metadata is not used, because it combines verbs
 * (`create_or_update` becomes "upsert"), which would hide words.
 */
export function splitText(text: string, maxLength: number): SplitText {
  const words: string[] = []
  const wholes: string[] = []
  for (const run of text.slice(0, maxLength).match(RUN) ?? []) {
    // A fast path, because most runs are a single word: in lower case, capitalised or in capitals.
    if (ONE_HUMP.test(run)) words.push(run.toLowerCase().slice(0, MAX_WORD_LENGTH))
    else splitRun(run, words, wholes)
  }
  return { words, wholes }
}

/**
 * Matches a run of characters that can contain words. Every character beyond ASCII belongs to a run; those that are not
 * letters are removed when the run is split.
 */
const RUN = /[A-Za-z0-9\u0080-\uffff]+/g
const ONE_HUMP = /^(?:[A-Z]?[a-z]*|[A-Z]+)$/

function splitRun(text: string, words: string[], wholes: string[]): void {
  const run = toCompatible(text)
  const humps = run.match(HUMP) ?? []
  for (const hump of humps) addHump(fold(hump), words, wholes)
  if ((humps.length === 2 || humps.length === 3) && LETTERS_AND_DIGITS.test(run)) wholes.push(fold(run))
}

function addHump(hump: string, words: string[], wholes: string[]): void {
  if (UNSPACED.test(hump)) return addPairs(hump, words)
  const letters = hump.replace(FINAL_DIGITS, '')
  // A trailing number is dropped only after three or more letters: `url2` means "url", but `s3` does not mean "s".
  if (letters.length >= 3 && letters.length < hump.length) {
    words.push(letters)
    wholes.push(hump)
  } else words.push(hump)
}

/**
 * Adds overlapping pairs of characters instead of words, for scripts in which finding words would need a dictionary.
 */
function addPairs(text: string, words: string[]): void {
  if (text.length <= 2) words.push(text)
  for (let at = 0; at + 2 <= text.length && text.length > 2; at += 1) words.push(text.slice(at, at + 2))
}

/** Converts a word to lower case without accents, so that "café" matches "cafe". */
function fold(word: string): string {
  const short = word.slice(0, MAX_WORD_LENGTH).toLowerCase()
  if (ASCII.test(short)) return short
  const bare = short.normalize('NFKD').replace(LATIN_ACCENT, '').normalize('NFC')
  return bare.slice(0, MAX_WORD_LENGTH)
}

/** Words that say nothing about a topic. They are ignored in prose, but count in names (`who_is`). */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    'a an the and or but nor if then else of to in on at by for from with without into onto over under as is are ' +
    'was were be been being am do does did done doing have has had having i me my mine we us our ours you your ' +
    'yours he him his she her hers it its they them their theirs this that these those there here what which who ' +
    'whom whose when where why how can could would should will shall may might must not no any some such than too ' +
    'very just also so about up out off again more most other another own same please don doesn didn isn aren wasn ' +
    'weren won couldn shouldn wouldn hasn haven hadn both each all every between during before after while until ' +
    'because since through s t d ll m re ve eg ie etc e g'
  ).split(' '),
)

/**
 * Words from phrases around the actual request, and verbs that almost every tool has. They say little about what is
 * wanted.
 */
export const FILLER_WORDS: ReadonlySet<string> = new Set(
  (
    'want need like help looking look know tell give let provide assist wonder wondering interested trying try ' +
    'able possible use using kindly hi hello thanks thank sure get find show make something anything thing things ' +
    'way go going'
  ).split(' '),
)
