import { isDigit } from '../text/characters.ts'
import type { TextRange } from '../text/finding.ts'

const FLOOD = 8
/**
 * Minimum length of a word, because shorter ones repeat in ordinary text. Shorter words and numbers count as part of
 * the next word, so that a numbered list is not a flood.
 */
const MIN_WORD = 3
const HAS_UNSPACED = /[\u3040-\u30FF\u3400-\u9FFF\u0E00-\u0E7F]/

/**
 * Finds a word, or a phrase of up to four words, that is repeated many times. Words are compared by hash, in one pass.
 */
export function findFlood(text: string): TextRange | undefined {
  const recent = [0, 0, 0, 0]
  const runs = [0, 0, 0, 0]
  let sum = 0
  let length = 0
  for (let at = 0; at <= text.length; at += 1) {
    const code = text.charCodeAt(at) | 0x20
    if ((code >= 97 && code <= 122) || code > 0xbf) {
      sum = (Math.imul(sum, 31) + code) | 0
      length += 1
      continue
    }
    if (length >= MIN_WORD) {
      if (repeats(sum, recent, runs)) return { start: Math.max(0, at - FLOOD * length), end: at }
      sum = 0
    }
    length = 0
    if (isDigit(code)) sum = (Math.imul(sum, 31) + code) | 0
  }
  return HAS_UNSPACED.test(text) ? findUnspacedFlood(text) : undefined
}

/** Records a word. Returns true if words have now repeated often enough with a period of one to four words. */
function repeats(sum: number, recent: number[], runs: number[]): boolean {
  let isFlood = false
  for (let period = 1; period <= 4; period += 1) {
    const run = recent[4 - period] === sum ? (runs[period - 1] ?? 0) + 1 : 0
    runs[period - 1] = run
    isFlood ||= run >= FLOOD * period
  }
  recent.shift()
  recent.push(sum)
  return isFlood
}

const TIMES = 8
const SHORTEST = 2
const LONGEST_PERIOD = 8
const FIRST = 0x0e00
const LAST = 0x9fff
const SIGNS = new Set(Array.from(' ,，、', sign => sign.charCodeAt(0)))
/** The number of recent letters to keep, which is the length of the longest flood. */
const KEPT = TIMES * LONGEST_PERIOD
const NEWEST = KEPT - 1

// The arrays are allocated once, because most texts are short and allocation would take longer than the search.
const codes = new Uint16Array(KEPT)
const places = new Int32Array(KEPT)
/** For each period, the number of letters in a row that equal the letter one period before. */
const runs = new Int32Array(LONGEST_PERIOD + 1)
/** For each period, the first letter after which every separator is a whole number of periods after the one before it. */
const agreed = new Int32Array(LONGEST_PERIOD + 1)

/**
 * Finds two to eight letters that are repeated many times, in scripts without spaces. A blank or comma can separate the
 * repetitions. Works in one pass, because a pattern with a back-reference takes a third of a second for a novel.
 */
export function findUnspacedFlood(text: string): TextRange | undefined {
  if (text.length < TIMES * SHORTEST) return undefined
  runs.fill(0)
  agreed.fill(0)
  let letter = 0
  let first = 0
  let lastSign = -1
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    const isSign = SIGNS.has(code)
    if (isSign && lastSign < letter - 1) {
      for (let period = SHORTEST; period <= LONGEST_PERIOD; period += 1)
        if (lastSign >= first && (letter - 1 - lastSign) % period !== 0) agreed[period] = lastSign + 1
      lastSign = letter - 1
      continue
    }
    if (isSign || code < FIRST || code > LAST) {
      first = letter
      lastSign = letter - 1
      runs.fill(0)
      continue
    }
    codes[letter & NEWEST] = code
    places[letter & NEWEST] = at
    for (let period = SHORTEST; period <= LONGEST_PERIOD; period += 1) {
      const isSame = letter - period >= first && codes[(letter - period) & NEWEST] === code
      const run = isSame ? (runs[period] ?? 0) + 1 : 0
      runs[period] = run
      if (run < (TIMES - 1) * period) continue
      const start = letter + 1 - TIMES * period
      const isRegular = (agreed[period] ?? 0) <= start && (letter - lastSign) % period === 0
      if (lastSign < start || isRegular) return { start: places[start & NEWEST] ?? 0, end: at + 1 }
    }
    letter += 1
  }
  return undefined
}
