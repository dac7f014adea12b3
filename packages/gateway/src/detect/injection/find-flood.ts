import { isDigit } from '../text/characters.ts'
import type { Stretch } from '../text/stretch.ts'
import { findUnspacedFlood } from './find-unspaced-flood.ts'

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
