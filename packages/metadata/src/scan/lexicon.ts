import { GAP } from '../infer/read-words.ts'
import { ATTACK_CLASSES } from './attack-words.ts'
import { DATA_CLASSES } from './data-words.ts'
import { WORD_CLASSES } from './word-classes.ts'

type WordClass = keyof typeof WORD_CLASSES | keyof typeof DATA_CLASSES | keyof typeof ATTACK_CLASSES

/** Classes that are recognised by a token's shape rather than by a list of words. */
type ShapeClass = 'url' | 'email' | 'resource' | 'secretfile' | 'payaddress' | 'identifier' | 'secretname'

export type TokenClass = WordClass | ShapeClass

const UNKNOWN: Entry = { classes: [], reach: 0 }

/** What is known of a word or phrase. */
interface Entry {
  readonly classes: readonly TokenClass[]
  /** The number of words in the longest phrase that starts with this word, or 0. */
  readonly reach: number
}

/** Contains every form of a word; phrases have the forms of all their words, joined with `_`. */
type Lexicon = ReadonlyMap<string, Entry>

let built: Lexicon | undefined

/** Builds the lexicon at the first scan, to keep importing the package fast. */
function lexicon(): Lexicon {
  built ??= buildLexicon()
  return built
}

function buildLexicon(): Lexicon {
  const entries = new Map<string, Entry>()
  const entryOf = (word: string): Entry => entries.get(word) ?? UNKNOWN
  for (const [text, classes] of listEntries()) {
    const words = text.split('_')
    for (const form of toForms(words[0] ?? '')) {
      if (words.length > 1) {
        const { classes: own, reach } = entryOf(form)
        entries.set(form, { classes: own, reach: Math.max(reach, words.length) })
      }
      for (const last of words.length > 1 ? toPlurals(words.at(-1) ?? '') : ['']) {
        const written = words.length > 1 ? [form, ...words.slice(1, -1), last].join('_') : form
        const { classes: own, reach } = entryOf(written)
        entries.set(written, { classes: [...new Set([...own, ...classes])], reach })
      }
    }
  }
  return entries
}

function listEntries(): ReadonlyMap<string, readonly TokenClass[]> {
  const entries = new Map<string, TokenClass[]>()
  for (const table of [WORD_CLASSES, DATA_CLASSES, ATTACK_CLASSES]) {
    for (const [name, words] of Object.entries(table)) {
      for (const word of words.trim().split(/\s+/)) {
        entries.set(word, [...(entries.get(word) ?? []), name as TokenClass])
      }
    }
  }
  return entries
}

/**
 * Returns the plural, third person, past, gerund and genitive of a word, by spelling rules alone. Forms that do not
 * exist do no harm.
 */
function toForms(word: string): readonly string[] {
  if (word.length < 3) return [word]
  const last = word.at(-1) ?? ''
  const stem = last === 'e' || last === 'y' ? word.slice(0, -1) : word + last
  const ends = ['s', 'es', 'ed', 'd', 'ing', "'s", "s'", "'d"].map(ending => word + ending)
  const changed = last === 'y' ? [`${stem}ies`, `${stem}ied`] : [`${stem}ing`, `${stem}ed`]
  return [word, ...ends, ...changed]
}

function toPlurals(word: string): readonly string[] {
  return [word, `${word}s`, `${word}es`]
}

/** Returns what is known of a word or phrase in any of its forms. */
export function lookUp(word: string): Entry {
  return lexicon().get(word) ?? UNKNOWN
}

/** Finds the longest known phrase that starts at a token. */
export function findPhrase(
  tokens: readonly { readonly word: string; readonly gap: number; readonly reach: number }[],
  at: number,
): { readonly text: string; readonly length: number } | undefined {
  let longest: { text: string; length: number } | undefined
  let text = tokens[at]?.word ?? ''
  const reach = tokens[at]?.reach ?? 0
  for (let length = 2; length <= reach; length += 1) {
    const token = tokens[at + length - 1]
    if (token === undefined || token.gap > GAP.space) break
    text = `${text}_${token.word}`
    if (lookUp(text).classes.length > 0) longest = { text, length }
  }
  return longest
}

const LETTERS: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
}
const MASKED = /^(?=.*[a-z])(?=.*[013457@$])/

/**
 * Replaces digits that stand for letters in an unknown word: "1gn0r3" becomes "ignore". A word that is unknown in both
 * forms stays as it is.
 */
export function unmaskWord(word: string): string {
  if (!MASKED.test(word)) return word
  const letters = word.replaceAll(/[013457@$]/g, mark => LETTERS[mark] ?? mark)
  return lookUp(letters).classes.length > 0 ? letters : word
}
