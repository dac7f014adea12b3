import { isDigit } from '../text/characters.ts'
import type { Stretch } from '../text/finding.ts'

const FLOOD = 8
/** Shorter words repeat in honest texts too; like numbers, they count as part of the next one: where they differ, it is a list. */
const MIN_WORD = 3
const HAS_UNSPACED = /[\u3040-\u30FF\u3400-\u9FFF\u0E00-\u0E7F]/

/** One word, or a phrase of up to four, over and over. Words are told apart by their sums, in one pass. */
export function findFlood(text: string): Stretch | undefined {
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

/** Notes a word, and says whether it has now come round often enough with one of four periods. */
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
const LONGEST_ROUND = 8
const FIRST = 0x0e00
const LAST = 0x9fff
const SIGNS = new Set(Array.from(' ,，、', sign => sign.charCodeAt(0)))
/** Of the last letters so many are remembered: as many as the longest flood has. */
const KEPT = TIMES * LONGEST_ROUND
const NEWEST = KEPT - 1

// Made once: most texts are short, and to make these would take longer than to look through one.
const codes = new Uint16Array(KEPT)
const places = new Int32Array(KEPT)
/** By length of a round: how many letters in a row are the same as those one round before. */
const runs = new Int32Array(LONGEST_ROUND + 1)
/** By length of a round: the first letter from which on all signs stand whole rounds apart. */
const agreed = new Int32Array(LONGEST_ROUND + 1)

/**
 * Two to eight letters over and over, in scripts that write without spaces; a blank or comma may stand behind each round of
 * them. One pass: a pattern with a reference back takes a third of a second for a novel.
 */
export function findUnspacedFlood(text: string): Stretch | undefined {
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
      for (let round = SHORTEST; round <= LONGEST_ROUND; round += 1)
        if (lastSign >= first && (letter - 1 - lastSign) % round !== 0) agreed[round] = lastSign + 1
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
    for (let round = SHORTEST; round <= LONGEST_ROUND; round += 1) {
      const isSame = letter - round >= first && codes[(letter - round) & NEWEST] === code
      const run = isSame ? (runs[round] ?? 0) + 1 : 0
      runs[round] = run
      if (run < (TIMES - 1) * round) continue
      const start = letter + 1 - TIMES * round
      const isRegular = (agreed[round] ?? 0) <= start && (letter - lastSign) % round === 0
      if (lastSign < start || isRegular) return { start: places[start & NEWEST] ?? 0, end: at + 1 }
    }
    letter += 1
  }
  return undefined
}
