import { BARE_VERBS } from '@hintgate/metadata'
import { ENGLISH, LEADS, OTHERS } from './read-request.ts'

/** What a word can mean for a request, as bits. */
export const VERB = 1
/** The word can precede an imperative. */
export const LEAD = 1 << 1
/** A clause can begin after the word. */
export const JOINS_CLAUSES = 1 << 2
/** The word is common in another language and does not exist in English. */
export const FOREIGN = 1 << 3
/** A web address begins with the word. */
export const ADDRESS = 1 << 4
/** What must follow the word to make a request: a verb, `to`, `you`, `sure to`, or `you to`. */
export const ASKS_VERB = 1 << 5
export const ASKS_TO = 1 << 6
export const ASKS_YOU = 1 << 7
export const ASKS_SURE = 1 << 8
export const ASKS_YOU_TO = 1 << 9
export const TO = 1 << 10
export const YOU = 1 << 11
export const SURE = 1 << 12

const MEANINGS: readonly (readonly [meaning: number, words: Iterable<string>])[] = [
  [VERB, BARE_VERBS],
  [LEAD, LEADS],
  [JOINS_CLAUSES, ['and', 'then', 'or', 'by']],
  [FOREIGN, [...OTHERS].filter(word => !ENGLISH.has(word))],
  [ADDRESS, ['http', 'https', 'www']],
  [ASKS_VERB, ['please', 'pls', 'must', 'should', 'shall', 'kindly']],
  [ASKS_TO, ['need', 'needs', 'have', 'has', 'required']],
  [ASKS_YOU, ['could', 'can', 'would', 'will']],
  [ASKS_SURE, ['make']],
  [ASKS_YOU_TO, ['want', 'ask']],
  [TO, ['to']],
  [YOU, ['you']],
  [SURE, ['sure']],
]

/** The number of places in the table: a power of two, several times the number of words. */
const PLACES = 4096
const LAST_PLACE = PLACES - 1
const hashes = new Int32Array(PLACES)
const meanings = new Uint16Array(PLACES)

/** Continues the hash of a word with its next letter. The letter must be in lower case. */
export function hashLetter(hash: number, letter: number): number {
  return (Math.imul(hash, 31) + letter) | 0
}

/**
 * Returns what the word with this hash can mean. Another word can have the same hash; it then only seems to mean
 * something.
 */
export function meaningOf(hash: number): number {
  let at = placeOf(hash)
  while (meanings[at] !== 0) {
    if (hashes[at] === hash) return meanings[at] ?? 0
    at = (at + 1) & LAST_PLACE
  }
  return 0
}

function placeOf(hash: number): number {
  return (hash ^ (hash >>> 15)) & LAST_PLACE
}

function add(word: string, meaning: number): void {
  let hash = 0
  for (let at = 0; at < word.length; at += 1) hash = hashLetter(hash, word.charCodeAt(at))
  let at = placeOf(hash)
  while (meanings[at] !== 0 && hashes[at] !== hash) at = (at + 1) & LAST_PLACE
  hashes[at] = hash
  meanings[at] = (meanings[at] ?? 0) | meaning
}

for (const [meaning, words] of MEANINGS) for (const word of words) add(word, meaning)
