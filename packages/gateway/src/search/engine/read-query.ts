import { FILLER_WORDS, STOP_WORDS, splitText } from './split-text.ts'
import { stem } from './stem.ts'
import type { Weights } from './weights.ts'

/** A word of a query, before it is looked up in the catalog. */
export interface QueryWord {
  readonly word: string
  readonly stem: string
  readonly weight: number
  /**
   * True for a stop word, which is used only if the query has no other words, or as part of a joined word ("log in" and
   * `login`).
   */
  readonly isStopWord: boolean
}

/**
 * Maximum length of a query. Longer ones are cut: they are pasted documents, whose beginning usually says what is
 * wanted.
 */
const MAX_QUERY = 2_000

/**
 * Matches quoted text, placeholders, code and URLs. Each match ends at its own kind of quote, so that it does not
 * continue into the following text.
 */
const ARGUMENT = /"[^"]*"|“[^”]*”|(?<![\p{L}\p{N}])'[^']*'(?!\p{L})|`[^`]*`|<[^<>]*>|https?:\/\/\S+/gu

/**
 * If quotes enclose more than this share of a query, they were added when the query was passed on and do not mark an
 * argument.
 */
const MOST_OF_QUERY = 0.6

/**
 * Replaces the arguments in a query with blanks. Quotes around a whole sentence do not mark an argument: they were
 * added when the query was passed on.
 */
export function maskArguments(query: string): string {
  return query.replaceAll(ARGUMENT, found => {
    const isPassedOn = found === query.trim() && found.split(/\s+/).length > 3
    return isPassedOn ? found : ' '.repeat(found.length)
  })
}

/** Splits a query into words, in order. If a word such as `YouTube` is split, its whole spelling follows the parts. */
export function readQuery(query: string, weights: Weights): readonly QueryWord[] {
  const text = query.slice(0, MAX_QUERY)
  const words: QueryWord[] = []
  let from = 0
  for (const match of text.matchAll(ARGUMENT)) {
    if (match[0].length > text.length * MOST_OF_QUERY) continue
    readPart(text.slice(from, match.index), 1, { weights, words })
    readPart(match[0], weights.argument, { weights, words })
    from = match.index + match[0].length
  }
  readPart(text.slice(from), 1, { weights, words })
  return words
}

function readPart(
  text: string,
  weight: number,
  { weights, words }: { readonly weights: Weights; readonly words: QueryWord[] },
): void {
  const split = splitText(text, MAX_QUERY)
  for (const word of [...split.words, ...split.wholes]) {
    const own = FILLER_WORDS.has(word) ? weight * weights.filler : weight
    words.push({ word, stem: stem(word), weight: own, isStopWord: STOP_WORDS.has(word) })
  }
}
