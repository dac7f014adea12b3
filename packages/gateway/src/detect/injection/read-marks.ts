import { bitOf, ENTRIES, type Entry } from './injection-rules.ts'

export interface Mark {
  /** As a bit. */
  readonly part: number
  /** Which word of the text it is. */
  readonly word: number
  readonly start: number
  readonly end: number
}

/** By their first two characters: most words are dismissed with one look. */
const BUCKETS = groupByStart(ENTRIES)
const TELL = bitOf('tell')

/** Every word that plays a part, in order. One pass over the text. */
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
      // Where there are no spaces to count by, two characters are a word.
      word += isLoose ? 0.5 : 1
      const entries = BUCKETS[bucketOf(code, lowered.charCodeAt(at + 1))]
      if (entries !== undefined) matchEntries(lowered, { at, word, entries }, marks)
    }
    isInWord = isPart
  }
  return marks
}

/** A letter whose small form is longer would move everything behind it. There is one; another takes its place. */
function toLower(text: string): string {
  return instead(instead(text, 'İ', 'ı').toLowerCase(), '’', "'")
}

/** For hundreds of thousands of them this takes a fifth of what replacing does; mostly there is none. */
function instead(text: string, sign: string, other: string): string {
  return text.includes(sign) ? text.split(sign).join(other) : text
}

/** Letters, digits and marks of any script make words; signs, blanks and punctuation do not. */
function isWordCode(code: number): boolean {
  if (code < 128) return (code >= 97 && code <= 122) || (code >= 48 && code <= 57) || code === 39
  return code > 0xbf && (code < 0x2000 || code > 0x206f) && (code < 0x3000 || code > 0x303f)
}

/** Thai, kana and Chinese characters. */
function isUnspaced(code: number): boolean {
  return (
    (code >= 0x0e00 && code <= 0x0e7f) ||
    (code >= 0x3040 && code <= 0x30ff) ||
    (code >= 0x3400 && code <= 0x9fff)
  )
}

interface Place {
  readonly at: number
  readonly word: number
  readonly entries: readonly Entry[]
}

function matchEntries(lowered: string, { at, word, entries }: Place, marks: Mark[]): void {
  for (const { part, stem, isWhole } of entries) {
    if (!lowered.startsWith(stem, at)) continue
    const end = at + stem.length
    if (isWhole && isWordCode(lowered.charCodeAt(end))) continue
    if (part === TELL && isForbidden(lowered, at)) continue
    marks.push({ part, word, start: at, end })
  }
}

/** Behind a word that opens a sentence, or with a duty: "if you do not share it" is a threat. */
const FORBIDS = /(?:(?:^|[.!?:;\n*>"-]\s{0,2}|please )(?:do not|don't|never)|(?:should|must) (?:not|never)) $/
/** As long as what forbids, and what stands before it. */
const MAX_FORBIDS = 20

/** Whether nobody is to do it: whoever says "never share your password" does not ask for it. */
function isForbidden(lowered: string, at: number): boolean {
  return lowered[at - 1] === ' ' && FORBIDS.test(lowered.slice(Math.max(0, at - MAX_FORBIDS), at))
}

/** Small enough to be an index; that two pairs share a bucket does no harm. */
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
