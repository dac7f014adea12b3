import { bitOf, ENTRIES, type Entry } from './injection-rules.ts'

export interface Mark {
  /** The part, as a bit mask with one bit. */
  readonly part: number
  /** The index of the word in the text. */
  readonly word: number
  readonly start: number
  readonly end: number
}

/** Entries by their first two characters, so that one lookup rejects most words. */
const BUCKETS = groupByStart(ENTRIES)
const TELL = bitOf('tell')

/** Finds every word that belongs to a part, in order. Works in one pass. */
export function readMarks(text: string): readonly Mark[] {
  const lowered = toLower(text)
  const marks: Mark[] = []
  let isInWord = false
  let word = 0
  for (let at = 0; at < lowered.length; at += 1) {
    const code = lowered.charCodeAt(at)
    const isPart = isWordCode(code)
    const isLoose = code > 0xdff && isUnspaced(code)
    if (isLoose || (isPart && !isInWord)) {
      // In scripts without spaces, two characters count as a word.
      word += isLoose ? 0.5 : 1
      const entries = BUCKETS[bucketOf(code, lowered.charCodeAt(at + 1))]
      if (entries !== undefined) matchEntries(lowered, { at, word, entries }, marks)
    }
    isInWord = isPart
  }
  return marks
}

/** Converts to lower case without changing the length. The lower case of `İ` is longer and would shift all offsets. */
function toLower(text: string): string {
  return substitute(substitute(text, 'İ', 'ı').toLowerCase(), '’', "'")
}

/** Replaces all occurrences. With many of them, this is five times as fast as `replaceAll`. */
function substitute(text: string, sign: string, other: string): string {
  return text.includes(sign) ? text.split(sign).join(other) : text
}

/**
 * True for letters, digits and combining marks of any script, which form words. False for symbols, blanks and
 * punctuation.
 */
function isWordCode(code: number): boolean {
  if (code < 128) return (code >= 97 && code <= 122) || (code >= 48 && code <= 57) || code === 39
  return code > 0xbf && (code < 0x2000 || code > 0x206f) && (code < 0x3000 || code > 0x303f)
}

/** True for Thai, kana and Chinese characters, whose scripts have no spaces between words. */
function isUnspaced(code: number): boolean {
  return (
    (code >= 0x0e00 && code <= 0x0e7f) ||
    (code >= 0x3040 && code <= 0x30ff) ||
    (code >= 0x3400 && code <= 0x9fff)
  )
}

interface Candidate {
  readonly at: number
  readonly word: number
  readonly entries: readonly Entry[]
}

function matchEntries(lowered: string, { at, word, entries }: Candidate, marks: Mark[]): void {
  for (const { part, stem, isWhole } of entries) {
    if (!lowered.startsWith(stem, at)) continue
    const end = at + stem.length
    if (isWhole && isWordCode(lowered.charCodeAt(end))) continue
    if (part === TELL && isForbidden(lowered, at)) continue
    marks.push({ part, word, start: at, end })
  }
}

/**
 * Matches a prohibition at the start of a sentence, or with "should" or "must". "If you do not share it" is a threat,
 * not a prohibition.
 */
const FORBIDS = /(?:(?:^|[.!?:;\n*>"-]\s{0,2}|please )(?:do not|don't|never)|(?:should|must) (?:not|never)) $/
/** Maximum length of a prohibition with its context. */
const MAX_FORBIDS = 20

/** True if the verb is negated: "never share your password" does not ask for the password. */
function isForbidden(lowered: string, at: number): boolean {
  return lowered[at - 1] === ' ' && FORBIDS.test(lowered.slice(Math.max(0, at - MAX_FORBIDS), at))
}

/** Returns a 16-bit hash of two characters. Collisions are harmless, because entries are compared in full. */
function bucketOf(first: number, second: number): number {
  return ((first * 31) ^ second) & 0xffff
}

function groupByStart(entries: readonly Entry[]): readonly (readonly Entry[] | undefined)[] {
  const buckets = Array.from<Entry[] | undefined>({ length: 0x10000 })
  for (const entry of entries) {
    const at = bucketOf(entry.stem.charCodeAt(0), entry.stem.charCodeAt(1))
    buckets[at] = [...(buckets[at] ?? []), entry]
  }
  return buckets
}
