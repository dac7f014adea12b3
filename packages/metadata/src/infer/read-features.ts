import type { Operation } from '../derive/operations.ts'
import type { Feature } from '../learn/linear-model.ts'
import type { Facts } from './gather-facts.ts'
import type { Evidence } from './inference.ts'
import { GAP, type WordStream } from './read-words.ts'
import type { WeighedVerb } from './weigh-verbs.ts'

type Found = Feature<Evidence>

/** Maximum length of a first sentence. Without a full stop, it would otherwise be the whole text. */
const MAX_SENTENCE_WORDS = 30

/**
 * Collects all features of a definition: the rules that matched, the operations that verbs stand for, single words and
 * word pairs from the name and the first sentence, and the parameters. The whole name is never a feature. Features that
 * the table of weights does not contain are left out.
 */
export function readFeatures(
  facts: Facts,
  verbs: readonly WeighedVerb[],
  { opaque, knows }: { opaque: Evidence | undefined; knows: (id: string) => boolean },
): readonly Found[] {
  const list = new FeatureList(knows, verbs)
  addVerbs(facts, verbs, list)
  addRules(facts, list)
  if (opaque !== undefined) list.add('opaque', opaque)
  addNameWords(facts.nameWords, list)
  addSentenceWords(facts.stream, list)
  for (const { key, name } of facts.allParameters)
    list.addWord(`with:${key}`, { rule: 'word.parameter', from: 'parameter', text: name })
  return list.found
}

class FeatureList {
  readonly found: Found[] = []
  private readonly seen = new Set<string>()
  private readonly knows: (id: string) => boolean
  private readonly verbs: readonly WeighedVerb[]

  constructor(knows: (id: string) => boolean, verbs: readonly WeighedVerb[]) {
    this.knows = knows
    this.verbs = verbs
  }

  /** Adds a feature. Each feature counts once, however often it occurs. */
  add(id: string, reason: Evidence, value = 1): void {
    if (!this.knows(id) || this.seen.has(id)) return
    this.seen.add(id)
    this.found.push({ id, value, reason })
  }

  /**
   * Adds a feature for a word. All features of the same word share one reason: "delete" in a name is a verb, the first
   * word, and a word.
   */
  addWord(id: string, { rule, from, text }: Evidence): void {
    if (!this.knows(id)) return
    const known =
      this.verbs.find(({ reason }) => reason.from === from && reason.text === text)?.reason ??
      this.found.find(({ reason }) => reason.from === from && reason.text === text)?.reason
    this.add(id, known ?? { rule, from, text })
  }
}

function addVerbs(facts: Facts, verbs: readonly WeighedVerb[], list: FeatureList): void {
  const places = new Set<string>()
  for (const { rule, reason } of verbs) {
    const place = `${reason.from}${places.has(reason.from) ? '+' : ''}`
    places.add(reason.from)
    list.add(`${rule.id}@${place}`, reason)
    for (const operation of rule.operations) list.add(`does.${operation}@${place}`, reason)
  }
  const spoken = verbs.find(({ reason }) => reason.from === 'description')
  const main = verbs[0]
  if (main !== undefined)
    list.add(`does.${kindOf(facts.nameVerbs[0]?.verb.rule)}-${kindOf(spoken?.rule)}`, main.reason)
  const denied = facts.spoken.find(({ negated, verb }) => negated && !verb.rule.operations.includes('read'))
  if (denied === undefined) return
  const reason: Evidence = { rule: 'phrase.negated-verb', from: 'description', text: `not ${denied.text}` }
  list.add('phrase.negated-verb', reason)
}

function kindOf(rule: { readonly operations: readonly Operation[] } | undefined): string {
  return rule?.operations[0] ?? 'none'
}

function addRules(facts: Facts, list: FeatureList): void {
  const { object, spokenObject } = facts
  if (object !== undefined)
    list.add(object.rule.id, { rule: object.rule.id, from: 'name', text: object.text })
  if (spokenObject !== undefined) {
    const { rule, text } = spokenObject
    list.add(`${rule.id}@description`, { rule: rule.id, from: 'description', text })
  }
  for (const { rule, text, turned, weight } of facts.phrases) {
    const reason: Evidence = { rule: rule.id, from: 'description', text: turned ? `not ${text}` : text }
    list.add(rule.id, reason, turned ? -weight : weight)
  }
  for (const { rule, parameter } of facts.parameters)
    list.add(rule.id, { rule: rule.id, from: 'parameter', text: parameter.name })
  for (const { verb, text, from } of facts.actions)
    for (const operation of verb.rule.operations)
      list.add(`action.${operation}`, { rule: `${from}.action`, from, text })
  for (const { rule, text } of facts.outputs) list.add(rule.id, { rule: rule.id, from: 'output', text })
}

function addNameWords(words: readonly string[], list: FeatureList): void {
  words.forEach((word, at) => {
    const reason: Evidence = { rule: 'word.name', from: 'name', text: word }
    list.addWord(`name:${word}`, reason)
    list.addWord(at === 0 ? `name^${word}` : `name:${words[at - 1]} ${word}`, reason)
    if (at === words.length - 1) list.addWord(`name$${word}`, reason)
  })
}

function addSentenceWords({ words, gaps }: WordStream, list: FeatureList): void {
  for (let at = 0; at < Math.min(words.length, MAX_SENTENCE_WORDS); at += 1) {
    if (at > 0 && gaps[at] === GAP.sentence) return
    const text = words[at] ?? ''
    const reason: Evidence = { rule: 'word.description', from: 'description', text }
    list.addWord(`text:${text}`, reason)
    list.addWord(at === 0 ? `text^${text}` : `text:${words[at - 1]} ${text}`, reason)
  }
}
