import { ALL_UNSEEN, NOT_PLAIN, SUSPECT } from './find-hidden-text.ts'
import type { Finding } from './finding.ts'
import { CODES, type Reading, readPlain, STYLED } from './plain-letters.ts'
import { COLOUR, TERMINAL_CODE, UNSEEN, UNSEEN_IN_CODES } from './terminal-codes.ts'

const LETTER_TAGS = '[\\u{E0020}-\\u{E007E}]'
const HAS_LETTER_TAGS = new RegExp(LETTER_TAGS, 'u')
const TAGS_OR_UNSEEN = new RegExp(`${LETTER_TAGS}+|(?:${COLOUR}|(?!${LETTER_TAGS})[${UNSEEN}])+`, 'gu')
const HAS_TERMINAL_CODE = new RegExp(TERMINAL_CODE, 'u')
const IN_CODES = new RegExp(`${UNSEEN_IN_CODES}+`, 'gu')

const NONE: readonly Reading[] = []

export function hasReadings(text: string): boolean {
  return NOT_PLAIN.test(text) ? STYLED.test(text) || SUSPECT.test(text) : CODES.test(text)
}

/**
 * Returns the other ways to read a text; usually there are none. They are the text without invisible characters, the
 * text with tag characters decoded to letters, and each of these (and the text itself) with styled letters converted. A
 * model might read the text in any of these ways.
 */
export function readingsOf(text: string): readonly Reading[] {
  const isPlain = !NOT_PLAIN.test(text)
  if (isPlain && !CODES.test(text)) return NONE
  const unhidden = isPlain || !SUSPECT.test(text) ? NONE : readUnhidden(text)
  const plain = STYLED.test(text) ? [readPlain(text)] : NONE
  return [...plain, ...unhidden, ...unhidden.flatMap(readPlainToo)]
}

/** Converts the styled letters of a reading. The result's offsets refer to the original text. */
function readPlainToo(reading: Reading): readonly Reading[] {
  if (!STYLED.test(reading.text)) return NONE
  const { text, places } = readPlain(reading.text)
  return [
    {
      text,
      places: () => {
        const inText = reading.places()
        return places().map(place => inText[place] ?? 0)
      },
    },
  ]
}

function readUnhidden(text: string): readonly Reading[] {
  const unhidden = readBy(text, ALL_UNSEEN, () => '')
  if (unhidden.text === text) return NONE
  const tags = HAS_LETTER_TAGS.test(text) ? [readBy(text, TAGS_OR_UNSEEN, spellTags)] : NONE
  return [unhidden, ...readTerminalCodes(text), ...tags]
}

/**
 * Reads a text that contains terminal codes in two ways. In the first reading the codes become blanks, because they can
 * separate words. In the second the codes stay but lose the invisible characters in them, because a model also reads
 * codes that a terminal does not show.
 */
function readTerminalCodes(text: string): readonly Reading[] {
  if (!HAS_TERMINAL_CODE.test(text)) return NONE
  const parted = readBy(text, ALL_UNSEEN, run => (HAS_TERMINAL_CODE.test(run) ? ' ' : ''))
  const asWritten = readBy(text, IN_CODES, () => '')
  return asWritten.text === text ? [parted] : [parted, asWritten]
}

/**
 * Replaces every match of a pattern. A replacement has either one letter for every two code units of the match, or one
 * letter in total.
 */
function readBy(text: string, pattern: RegExp, spell: (run: string) => string): Reading {
  const read = text.replaceAll(pattern, run => spell(run))
  const places = (): Int32Array => {
    const all = new Int32Array(read.length + 1)
    let at = 0
    let place = 0
    for (const { 0: run, index } of text.matchAll(pattern)) {
      while (place < index) all[at++] = place++
      const letters = spell(run).length
      for (let letter = 0; letter < letters; letter += 1) all[at++] = index + 2 * letter
      place = index + run.length
    }
    // The last entry is the end of the text, for findings that reach it.
    while (at <= read.length) all[at++] = place++
    return all
  }
  return { text: read, places }
}

/**
 * Decodes tag characters to the ASCII letters that they encode. Each one has two code units, and the second gives the
 * letter. Other hidden text is dropped.
 */
function spellTags(tags: string): string {
  let spelt = ''
  if (!HAS_LETTER_TAGS.test(tags)) return spelt
  for (let at = 1; at < tags.length; at += 2) spelt += String.fromCharCode(tags.charCodeAt(at) - 0xdc00)
  return spelt
}

/**
 * Searches a text and its other readings. All findings have offsets in the original text.
 * @example
 * findInReadings('a@exam\u200Bple.com', findPii, readings) // => [{ rule: 'email', start: 0, end: 14, … }]
 */
export function findInReadings(
  text: string,
  find: (text: string) => readonly Finding[],
  readings: readonly Reading[],
): readonly Finding[] {
  const found = find(text)
  if (readings.length === 0) return found
  const more = readings.flatMap(reading => placeBack(find(reading.text), reading))
  return joinByRule([...found, ...more])
}

function placeBack(found: readonly Finding[], reading: Reading): readonly Finding[] {
  if (found.length === 0) return found
  const places = reading.places()
  return found.map(finding => ({
    ...finding,
    start: places[finding.start] ?? 0,
    end: endOf(finding, places),
  }))
}

/**
 * Returns the end of a finding in the original text. One original character can be read as several letters: `⒈` is
 * `1.`.
 */
function endOf({ end }: Finding, places: Int32Array): number {
  let behind = end
  while (behind < places.length - 1 && places[behind] === places[end - 1]) behind += 1
  return places[behind] ?? 0
}

/** Merges overlapping findings of the same rule that came from different readings. */
function joinByRule(found: readonly Finding[]): readonly Finding[] {
  const joined: Finding[] = []
  const lastOf = new Map<string, number>()
  for (const finding of found.toSorted((a, b) => a.start - b.start)) {
    const at = lastOf.get(finding.rule) ?? joined.length
    const last = joined[at]
    const isNew = last === undefined || finding.start >= last.end
    lastOf.set(finding.rule, isNew ? joined.length : at)
    if (isNew) joined.push(finding)
    else joined[at] = join(last, finding)
  }
  return joined
}

function join(a: Finding, b: Finding): Finding {
  return { ...a, end: Math.max(a.end, b.end), confidence: Math.max(a.confidence, b.confidence) }
}
