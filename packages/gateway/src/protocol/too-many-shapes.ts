import {
  CLOSE_LIST,
  CLOSE_OBJECT,
  endOfString,
  isBeforeColon,
  OPEN_LIST,
  OPEN_OBJECT,
  QUOTE,
} from './json-text.ts'

/** `"a":1,`: what has fewer characters for each member cannot have so many, and need not be looked through. */
const SHORTEST_MEMBER = 4
/** Objects with more members are kept in another way, which has no shape. */
const MOST_MEMBERS = 128
/** More of a name is not looked at. */
const MOST_LETTERS = 64

/**
 * Whether the objects in a JSON text have more different shapes than that, where a shape is the names of the first members of
 * an object, in their order. V8 makes a description for each of them: rows that are alike take microseconds, as many that
 * differ take seconds.
 */
export function hasTooManyShapes(text: string, most: number): boolean {
  if (text.length < SHORTEST_MEMBER * most) return false
  const shapes = new Set<number>()
  // For every open list or object: what its names so far come to, and how many they are.
  const hashes: number[] = []
  const counts: number[] = []
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === OPEN_OBJECT || code === OPEN_LIST) {
      hashes.push(1)
      counts.push(0)
    } else if (code === CLOSE_OBJECT || code === CLOSE_LIST) {
      hashes.pop()
      counts.pop()
    } else if (code === QUOTE) {
      const end = endOfString(text, at)
      if (isBeforeColon(text, end + 1)) {
        const top = hashes.length - 1
        const count = (counts[top] ?? 0) + 1
        counts[top] = count
        if (count <= MOST_MEMBERS) {
          const hash = mix(hashes[top] ?? 0, text, at + 1, end)
          hashes[top] = hash
          shapes.add(hash)
          if (shapes.size > most) return true
        }
      }
      at = end
    }
  }
  return false
}

/** Two numbers of 26 bits each, so that no two shapes are taken for one by chance. */
function mix(before: number, text: string, from: number, end: number): number {
  let low = before % HALF
  let high = Math.floor(before / HALF)
  const last = Math.min(end, from + MOST_LETTERS)
  for (let at = from; at < last; at += 1) {
    const code = text.charCodeAt(at)
    low = Math.imul(low ^ code, 0x01000193) & MASK
    high = (Math.imul(high, 31) + code + 7) & MASK
  }
  low = Math.imul(low ^ (end - from + 256), 0x01000193) & MASK
  return high * HALF + low
}

const HALF = 2 ** 26
const MASK = HALF - 1
