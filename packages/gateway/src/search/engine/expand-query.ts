import type { QueryWord } from './read-query.ts'
import { stem } from './stem.ts'
import { KINDS, SYNONYMS } from './thesaurus-words.ts'
import type { SearchView } from './vocabulary.ts'
import type { Weights } from './weights.ts'

const NOTHING: ReadonlySet<string> = new Set()

/** The related stems of each stem. The first search builds this map, to keep start-up fast. */
let related: ReadonlyMap<string, ReadonlySet<string>> | undefined

/** Returns the stems that are related to a stem, in a fixed order. */
export function findRelated(stemmed: string): ReadonlySet<string> {
  related ??= readTables()
  return related.get(stemmed) ?? NOTHING
}

function readTables(): Map<string, Set<string>> {
  const tables = new Map<string, Set<string>>()
  for (const group of SYNONYMS.split(', ')) {
    const stems = group.split(' ').map(stem)
    for (const from of stems) relate(tables, from, stems)
  }
  for (const line of KINDS.split(', ')) {
    const [kind = '', members = ''] = line.split(': ')
    for (const member of members.split(' ')) relate(tables, stem(member), [stem(kind)])
  }
  return tables
}

function relate(tables: Map<string, Set<string>>, from: string, to: readonly string[]): void {
  const own = tables.get(from) ?? new Set()
  for (const other of to) if (other !== from) own.add(other)
  tables.set(from, own)
}

const MIN_LENGTH = 4
const MIN_TYPO_LENGTH = 5
const MIN_SHARED_SHARE = 0.6
const TYPO_LIKENESS = 0.8
const MAX_NEAR = 4

interface NearWord {
  readonly word: string
  /** How similar the word is to the unknown one, below 1. (1 would be the word itself.) */
  readonly likeness: number
}

/**
 * Returns known words that could be meant by an unknown word: words with the same beginning ("config", "configur"), and
 * words that differ by a single typo. The best word comes first. Equally good words are in alphabetical order, so that
 * the order does not depend on when a word was added.
 */
export function findNearWords(unknown: string, candidates: Iterable<string>): readonly NearWord[] {
  if (unknown.length < MIN_LENGTH) return []
  const near: NearWord[] = []
  for (const word of candidates) {
    const likeness = measureLikeness(unknown, word)
    if (likeness > 0) near.push({ word, likeness })
  }
  return near.sort((a, b) => b.likeness - a.likeness || (a.word < b.word ? -1 : 1)).slice(0, MAX_NEAR)
}

function measureLikeness(unknown: string, word: string): number {
  if (word.length < MIN_LENGTH) return 0
  const longer = Math.max(unknown.length, word.length)
  const shared = countSharedStart(unknown, word)
  if (shared >= MIN_LENGTH && shared / longer >= MIN_SHARED_SHARE) return shared / longer
  const mayBeTypo = unknown.length >= MIN_TYPO_LENGTH && isOneSlip(unknown, word, shared)
  return mayBeTypo ? TYPO_LIKENESS : 0
}

function countSharedStart(a: string, b: string): number {
  const end = Math.min(a.length, b.length)
  let at = 0
  while (at < end && a.charCodeAt(at) === b.charCodeAt(at)) at += 1
  return at
}

/** Whether two words differ by one additional, missing or wrong letter, or by two adjacent letters that are swapped. */
function isOneSlip(a: string, b: string, shared: number): boolean {
  if (Math.abs(a.length - b.length) > 1) return false
  const [restA, restB] = [a.slice(shared), b.slice(shared)]
  if (restA.slice(1) === restB.slice(1) || restA.slice(1) === restB || restA === restB.slice(1)) return true
  return (
    restA.charAt(0) === restB.charAt(1) &&
    restA.charAt(1) === restB.charAt(0) &&
    restA.slice(2) === restB.slice(2)
  )
}

/** A word of the catalog that can stand for a word of the query. */
interface Alternative {
  /** The number of the word in the catalog's vocabulary. */
  readonly term: number
  /** The weight of this alternative: 1 for the query's own word, less for a related word. */
  readonly factor: number
}

/**
 * One term of the query, with its alternatives. A tool gets points only for its best alternative, never for several.
 */
export interface Concept {
  readonly word: string
  readonly weight: number
  readonly alternatives: readonly Alternative[]
}

/** Maximum number of concepts, to limit the work for a long query. */
const MAX_CONCEPTS = 64
const MAX_UNKNOWN = 8
const MIN_HALF = 3
const LONGEST_JOIN = 3

export function expandQuery(
  words: readonly QueryWord[],
  view: SearchView,
  weights: Weights,
): readonly Concept[] {
  const wishes = collectWishes(words, view, weights)
  let unknown = 0
  return [...wishes].map(([stemmed, { word, weight }]) => {
    const alternatives = listKnown(stemmed, view, weights)
    if (view.numberOf(stemmed) === undefined && unknown < MAX_UNKNOWN) {
      unknown += 1
      alternatives.push(...listNear(stemmed, view, weights))
    }
    return { word, weight, alternatives }
  })
}

interface Wish {
  readonly word: string
  readonly weight: number
}

function collectWishes(
  words: readonly QueryWord[],
  view: SearchView,
  weights: Weights,
): ReadonlyMap<string, Wish> {
  const wishes = new Map<string, Wish>()
  const wish = (stemmed: string, word: string, weight: number): void => {
    const known = wishes.get(stemmed)
    if (known === undefined && wishes.size >= MAX_CONCEPTS) return
    if (known === undefined || known.weight < weight) wishes.set(stemmed, { word, weight })
  }
  const isAllStopWords = words.every(({ isStopWord }) => isStopWord)
  for (const { word, stem, weight, isStopWord } of words) {
    if (!isStopWord || isAllStopWords) wish(stem, word, weight)
  }
  for (const { stem, word, weight } of listJoined(words, view)) wish(stem, word, weight * weights.joined)
  for (const { word, weight } of [...wishes.values()]) {
    for (const half of splitUnknown(word, view)) wish(stem(half), half, weight * weights.joined)
  }
  return wishes
}

/** Returns pairs of adjacent words in the query that the catalog writes as one word. */
function listJoined(words: readonly QueryWord[], view: SearchView): QueryWord[] {
  return words.flatMap((first, at) => {
    const joined: QueryWord[] = []
    for (let length = 2; length <= LONGEST_JOIN && at + length <= words.length; length += 1) {
      const parts = words.slice(at, at + length)
      const word = parts.map(part => part.word).join('')
      const stemmed = stem(word)
      if (view.numberOf(stemmed) === undefined) continue
      const weight = Math.min(...parts.map(part => part.weight))
      joined.push({ ...first, word, stem: stemmed, weight })
    }
    return joined
  })
}

/**
 * Splits a word in the query that the catalog writes as two words: "keystore" becomes "key" and "store" if a tool has
 * `key_store`.
 */
function splitUnknown(word: string, view: SearchView): readonly string[] {
  if (view.numberOf(stem(word)) !== undefined) return []
  for (let at = MIN_HALF; at <= word.length - MIN_HALF; at += 1) {
    const halves = [word.slice(0, at), word.slice(at)]
    if (halves.every(half => view.numberOf(stem(half)) !== undefined)) return halves
  }
  return []
}

function listKnown(stemmed: string, view: SearchView, weights: Weights): Alternative[] {
  const alternatives: Alternative[] = []
  const add = (word: string, factor: number): void => {
    const term = view.numberOf(word)
    if (term !== undefined) alternatives.push({ term, factor })
  }
  add(stemmed, 1)
  for (const related of findRelated(stemmed)) add(related, weights.synonym)
  return alternatives
}

function listNear(stemmed: string, view: SearchView, weights: Weights): Alternative[] {
  return findNearWords(stemmed, view.withSameStart(stemmed)).flatMap(({ word, likeness }) => {
    const term = view.numberOf(word)
    return term === undefined ? [] : [{ term, factor: likeness * weights.near }]
  })
}
