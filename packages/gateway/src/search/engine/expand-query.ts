import { findNearWords } from './find-near-words.ts'
import type { QueryWord } from './read-query.ts'
import type { SearchView } from './search-view.ts'
import { stem } from './stem.ts'
import { findRelated } from './thesaurus.ts'
import type { Weights } from './weights.ts'

/** A word of the catalog that can stand for a word of the query. */
interface Alternative {
  /** The catalog's number of the word. */
  readonly term: number
  /** 1 for the word itself, less for a relative. */
  readonly factor: number
}

/** One wish of the query: a tool is credited with its best alternative, never with several. */
export interface Concept {
  readonly word: string
  readonly weight: number
  readonly alternatives: readonly Alternative[]
}

/** Bounds the work of one query, however long it is. */
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

/** Neighbours of the query that the catalog writes as one word. */
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

/** The other way round: one word of the query that the catalog writes as two ("keystore" and `key_store`). */
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
