import { PHRASE_RULES, type PhraseRule } from './phrases.ts'
import { isNegated } from './read-sentence.ts'
import type { WordStream } from './read-words.ts'

/** A phrase that occurs in a text. `turned` is true if a negation before the phrase reverses its meaning. */
export interface FoundPhrase {
  readonly rule: PhraseRule
  readonly text: string
  readonly turned: boolean
  /** Lower for a phrase late in the text, because such a phrase is often about something else. */
  readonly weight: number
}

interface Entry {
  readonly rule: PhraseRule
  readonly words: readonly string[]
  readonly text: string
}

/** Number of words that count as the opening, about two sentences. */
const OPENING_WORDS = 40
const LATER_WEIGHT = 0.5

const entriesOf = new Map<string, Entry[]>()
for (const rule of PHRASE_RULES) {
  for (const text of rule.phrases) {
    const words = text.split(' ')
    const first = words[0] ?? ''
    entriesOf.set(first, [...(entriesOf.get(first) ?? []), { rule, words, text }])
  }
}

/** Finds the first occurrence of each rule's phrases in a text. Repetitions do not count. */
export function findPhrases(stream: WordStream): readonly FoundPhrase[] {
  const found: FoundPhrase[] = []
  for (let at = 0; at < stream.words.length; at += 1) {
    const entries = entriesOf.get(stream.words[at] ?? '')
    if (entries === undefined) continue
    for (const entry of entries) {
      if (!matches(stream, at, entry.words) || found.some(known => known.rule === entry.rule)) continue
      const negated = isNegated(stream, at)
      if (negated && entry.rule.turns !== true) continue
      found.push({
        rule: entry.rule,
        text: entry.text,
        turned: negated,
        weight: at < OPENING_WORDS ? 1 : LATER_WEIGHT,
      })
    }
  }
  return found
}

function matches(stream: WordStream, at: number, words: readonly string[]): boolean {
  for (let next = 1; next < words.length; next += 1) {
    if (stream.words[at + next] !== words[next]) return false
  }
  return true
}
