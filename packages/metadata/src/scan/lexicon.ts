import { GAP } from '../infer/read-words.ts'
import { ATTACK_CLASSES } from './attack-words.ts'
import { DATA_CLASSES } from './data-words.ts'
import { WORD_CLASSES } from './word-classes.ts'

type WordClass = keyof typeof WORD_CLASSES | keyof typeof DATA_CLASSES | keyof typeof ATTACK_CLASSES

/** Classes that are recognised by a token's shape rather than by a list of words. */
type ShapeClass = 'url' | 'email' | 'resource' | 'secretfile' | 'payaddress' | 'identifier' | 'secretname'

export type TokenClass = WordClass | ShapeClass

const NONE: readonly TokenClass[] = []

interface Lexicon {
  /**
   * Maps words to classes. It contains every form of a word; phrases have the forms of all their words, joined with
   * `_`.
   */
  readonly classesOf: ReadonlyMap<string, readonly TokenClass[]>
  /** The number of words in the longest phrase that starts with a word. */
  readonly reachOf: ReadonlyMap<string, number>
}

let built: Lexicon | undefined

/** Builds the lexicon at the first scan, to keep importing the package fast. */
function lexicon(): Lexicon {
  built ??= buildLexicon()
  return built
}

function buildLexicon(): Lexicon {
  const classesOf = new Map<string, readonly TokenClass[]>()
  const reachOf = new Map<string, number>()
  for (const [text, classes] of listEntries()) {
    const words = text.split('_')
    for (const form of toForms(words[0] ?? '')) {
      if (words.length > 1) reachOf.set(form, Math.max(reachOf.get(form) ?? 0, words.length))
      for (const last of words.length > 1 ? toPlurals(words.at(-1) ?? '') : ['']) {
        const written = words.length > 1 ? [form, ...words.slice(1, -1), last].join('_') : form
        classesOf.set(written, [...new Set([...(classesOf.get(written) ?? []), ...classes])])
      }
    }
  }
  return { classesOf, reachOf }
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

/** Returns the classes of a word or phrase in any of its forms. */
export function findClasses(word: string): readonly TokenClass[] {
  return lexicon().classesOf.get(word) ?? NONE
}

/** Finds the longest known phrase that starts at a token. */
export function findPhrase(
  tokens: readonly { readonly word: string; readonly gap: number }[],
  at: number,
): { readonly text: string; readonly length: number } | undefined {
  let longest: { text: string; length: number } | undefined
  let text = tokens[at]?.word ?? ''
  const { classesOf, reachOf } = lexicon()
  const reach = reachOf.get(text) ?? 0
  for (let length = 2; length <= reach; length += 1) {
    const token = tokens[at + length - 1]
    if (token === undefined || token.gap > GAP.space) break
    text = `${text}_${token.word}`
    if (classesOf.has(text)) longest = { text, length }
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
 * Replaces digits that stand for letters: "1gn0r3" becomes "ignore". A word that is unknown in both forms stays as it
 * is.
 */
export function unmaskWord(word: string): string {
  const { classesOf } = lexicon()
  if (!MASKED.test(word) || classesOf.has(word)) return word
  const letters = word.replaceAll(/[013457@$]/g, mark => LETTERS[mark] ?? mark)
  return classesOf.has(letters) ? letters : word
}
