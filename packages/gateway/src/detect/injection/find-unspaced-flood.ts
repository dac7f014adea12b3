import type { Stretch } from '../text/stretch.ts'

const TIMES = 8
const SHORTEST = 2
const LONGEST = 8
const FIRST = 0x0e00
const LAST = 0x9fff
const SIGNS = new Set(Array.from(' ,，、', sign => sign.charCodeAt(0)))
/** Of the last letters so many are remembered: as many as the longest flood has. */
const KEPT = TIMES * LONGEST
const NEWEST = KEPT - 1

// Made once: most texts are short, and to make these would take longer than to look through one.
const codes = new Uint16Array(KEPT)
const places = new Int32Array(KEPT)
/** By length of a round: how many letters in a row are the same as those one round before. */
const runs = new Int32Array(LONGEST + 1)
/** By length of a round: the first letter from which on all signs stand whole rounds apart. */
const agreed = new Int32Array(LONGEST + 1)

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
      for (let round = SHORTEST; round <= LONGEST; round += 1)
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
    for (let round = SHORTEST; round <= LONGEST; round += 1) {
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
