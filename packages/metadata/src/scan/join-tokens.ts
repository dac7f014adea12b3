import { GAP } from '../infer/read-words.ts'
import { findPhrase, lookUp } from './lexicon.ts'
import { mentionOf } from './pattern.ts'
import type { Token } from './token.ts'

/**
 * Minimum number of spaced letters that are joined: "i g n o r e" is a word, while three single letters may be an
 * enumeration.
 */
const MIN_LETTERS = 4

/** Joins single letters that are each followed by one separator into the word that they spell. */
export function joinLetters(tokens: readonly Token[]): readonly Token[] {
  const joined: Token[] = []
  for (let at = 0; at < tokens.length; at += 1) {
    const run = countLetters(tokens, at)
    const first = tokens[at]
    const last = tokens[at + run - 1]
    if (first === undefined) break
    if (run < MIN_LETTERS || last === undefined) joined.push(first)
    else {
      const word = tokens.slice(at, at + run).reduce((letters, token) => letters + token.word, '')
      joined.push({ ...first, word, end: last.end, ...lookUp(word) })
      at += run - 1
    }
  }
  return joined
}

function countLetters(tokens: readonly Token[], from: number): number {
  let count = 0
  for (let at = from; at < tokens.length; at += 1, count += 1) {
    const token = tokens[at]
    const before = tokens[at - 1]
    if (token === undefined || token.word.length !== 1) break
    const isApart = token.gap > GAP.space || (before !== undefined && token.start !== before.end + 1)
    if (at > from && isApart) break
  }
  return count
}

/** Joins words that have a meaning only together, such as "system prompt" and "reverse shell". */
export function joinPhrases(tokens: readonly Token[]): readonly Token[] {
  const joined: Token[] = []
  for (let at = 0; at < tokens.length; at += 1) {
    const first = tokens[at]
    if (first === undefined) break
    const phrase = first.reach === 0 ? undefined : findPhrase(tokens, at)
    const last = tokens[at + (phrase?.length ?? 1) - 1]
    if (phrase === undefined || last === undefined) joined.push(first)
    else {
      joined.push({ ...first, word: phrase.text, end: last.end, ...lookUp(phrase.text) })
      at += phrase.length - 1
    }
  }
  return joined
}

/**
 * Gives every token the set of classes that occur in its sentence. A rule that needs a class that is not in the set is
 * not tried.
 */
export function shareCompany(tokens: readonly Token[]): readonly Token[] {
  let company = new Set<string>()
  return tokens.map(({ word, start, end, gap, quoted, classes, reach }) => {
    if (gap >= GAP.sentence) company = new Set()
    const mention = mentionOf(word)
    if (mention !== undefined) company.add(mention)
    for (const name of classes) company.add(name)
    return { word, start, end, gap, quoted, classes, reach, company, mention }
  })
}
