import type { ToolDefinition } from '../definition/tool-definition.ts'
import { readOwn } from './read-schema.ts'
import { splitWords } from './split-words.ts'
import { findBaseVerb } from './verb-forms.ts'

/** Facts about a tool that the other tools of the same server reveal. */
export interface SiblingFacts {
  /** First words that nearly all names share. They are the server's namespace and never a verb. */
  readonly namespace: readonly string[]
  /** Words that are the object of other tools, like "monitor" in `create_monitor`. */
  readonly nouns: ReadonlySet<string>
}

const NO_FACTS: SiblingFacts = { namespace: [], nouns: new Set() }

/** If at least this share of names begins alike, that is a convention and not a coincidence. */
const NAMESPACE_SHARE = 0.7
const MIN_SIBLINGS = 3
const MAX_SIBLINGS = 2000
const MAX_NAMESPACE_WORDS = 3

// Cached by the array itself: the tools in a server's list are judged one by one, and the facts about the list stay the
// same.
const factsOf = new WeakMap<readonly ToolDefinition[], SiblingFacts>()

export function learnSiblings(siblings: readonly ToolDefinition[] | undefined): SiblingFacts {
  if (!Array.isArray(siblings)) return NO_FACTS
  const known = factsOf.get(siblings)
  if (known !== undefined) return known
  const facts = gatherFacts(siblings)
  factsOf.set(siblings, facts)
  return facts
}

function gatherFacts(siblings: readonly ToolDefinition[]): SiblingFacts {
  const names: string[][] = []
  for (const sibling of siblings.slice(0, MAX_SIBLINGS)) {
    const name = readOwn(sibling, 'name')
    if (typeof name === 'string') names.push(splitWords(name))
  }
  const namespace = findNamespace(names)
  return { namespace, nouns: findNouns(names, namespace) }
}

function findNamespace(names: readonly (readonly string[])[]): readonly string[] {
  const namespace: string[] = []
  let group = names.filter(words => words.length > 1)
  while (namespace.length < MAX_NAMESPACE_WORDS && group.length >= MIN_SIBLINGS) {
    const depth = namespace.length
    const [word, share] = findMostCommon(
      group.map(words => words[depth] ?? ''),
      names.length,
    )
    if (word === '' || share < NAMESPACE_SHARE || isPlainVerb(word)) break
    namespace.push(word)
    group = group.filter(words => words[depth] === word && words.length > depth + 1)
  }
  return namespace
}

function isPlainVerb(word: string): boolean {
  const verb = findBaseVerb(word)
  return verb !== undefined && !verb.noun
}

function findMostCommon(words: readonly string[], total: number): readonly [string, number] {
  const counts = new Map<string, number>()
  let best = ''
  for (const word of words) {
    const count = (counts.get(word) ?? 0) + 1
    counts.set(word, count)
    if (count > (counts.get(best) ?? 0)) best = word
  }
  return [best, (counts.get(best) ?? 0) / Math.max(1, total)]
}

/**
 * Finds words that are nouns in this server's names. In `create_monitor`, the verb is certain, so "monitor" must be a
 * noun, so it is a noun in `monitor_check` as well.
 */
function findNouns(names: readonly (readonly string[])[], namespace: readonly string[]): ReadonlySet<string> {
  const nouns = new Set<string>()
  for (const words of names) {
    const rest = stripNamespace(words, namespace)
    const first = rest[0] ?? ''
    const last = rest.at(-1) ?? ''
    const verbAt = isPlainVerb(first) ? 0 : isPlainVerb(last) ? rest.length - 1 : -1
    if (verbAt < 0) continue
    rest.forEach((word, at) => {
      if (at === verbAt) return
      nouns.add(word)
      if (word.length > 3 && word.endsWith('s')) nouns.add(word.slice(0, -1))
    })
  }
  return nouns
}

/** Removes the server's namespace from the words of a name, unless nothing would remain. */
export function stripNamespace(words: readonly string[], namespace: readonly string[]): readonly string[] {
  let at = 0
  while (at < namespace.length && at < words.length - 1 && words[at] === namespace[at]) at += 1
  return at === 0 ? words : words.slice(at)
}
