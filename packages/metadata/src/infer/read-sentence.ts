import { GAP, IDENTIFIER, type WordStream } from './read-words.ts'
import { findVerb, type VerbForm } from './verb-forms.ts'

/** A verb with which a description says what the tool does. */
export interface SpokenVerb {
  readonly verb: VerbForm
  /**
   * 1 for the main verb of the first sentence; lower for coordinated verbs, subordinate clauses and later sentences.
   */
  readonly weight: number
  readonly negated: boolean
  readonly text: string
  /** True if the verb is coordinated with the main verb of its sentence, like "set" in "get or set". */
  readonly isPeer: boolean
  /** The verb's position in the text, in words. */
  readonly at: number
}

const MAX_SENTENCES = 6
const MAX_WORDS_TO_MAIN_VERB = 14

/** Words that introduce a tool without describing it, as in "Use this tool to …" and "Allows you to …". */
const FILLERS = new Set(
  (
    'use uses used using this tool tools command function endpoint operation api method action helps help allow allows ' +
    'allowing let lets enable enables you user users to can may will would should must agent the a an call calls ' +
    'deprecated purpose note important warning please it always when'
  ).split(' '),
)

/** Words after which the next word is a noun, as in "the update", "a list of" and "by search". */
const NOUN_MARKERS = new Set(
  (
    'a an the of in on with from by for your its their our any all each every some no one two this that these those ' +
    'specific given single new existing current full more other another multiple available several such is are be as ' +
    'at into via per'
  ).split(' '),
)

/** Words after which the next word is a verb, as in "to delete", "will update" and "and remove". */
const VERB_MARKERS = new Set(
  'to and or then will can may must tool command it which that also automatically permanently function endpoint action operation api method lets'.split(
    ' ',
  ),
)

/** Words that are nouns in the middle of a sentence, as in "with progress updates". */
const PLURALS = new Set(
  'updates changes edits moves sets builds starts stops fixes writes reads creates upgrades'.split(' '),
)

/** Words that can start the object of a verb. */
const OBJECT_MARKERS = new Set(
  'a an the to and or your its their it them this that any all each every one multiple new existing specific for'.split(
    ' ',
  ),
)

const SUBORDINATES = new Set(
  'when if after before once because since unless while whenever where until so'.split(' '),
)

const NEGATIONS = new Set(
  'not never no without cannot cant doesnt dont wont didnt isnt neither nor avoid avoids instead prevent prevents rather'.split(
    ' ',
  ),
)

/** Number of words after a negation that it applies to, as in "does not in any way modify". */
const NEGATION_REACH = 4

export function isNegated(stream: WordStream, at: number): boolean {
  for (let back = 1; back <= NEGATION_REACH && at - back >= 0; back += 1) {
    if ((stream.gaps[at - back + 1] ?? 0) >= GAP.clause) return false
    if (NEGATIONS.has(stream.words[at - back] ?? '')) return true
  }
  return false
}

/** Finds the verbs that describe the tool, beginning with those in the first sentence. */
export function readVerbs(stream: WordStream): readonly SpokenVerb[] {
  const found: SpokenVerb[] = []
  let start = 0
  let strongest = 0
  for (let sentence = 0; sentence < MAX_SENTENCES && start < stream.words.length; sentence += 1) {
    const end = findSentenceEnd(stream, start)
    const verbs = readSentence(stream, start, end)
    const isOpening = strongest === 0
    for (const spoken of verbs) {
      const weight = isOpening ? spoken.weight * (sentence === 0 ? 1 : 0.75) : spoken.weight * 0.25
      found.push({ ...spoken, weight })
      if (!spoken.negated) strongest = Math.max(strongest, weight)
    }
    start = end
  }
  return found
}

function findSentenceEnd(stream: WordStream, start: number): number {
  let at = start + 1
  while (at < stream.words.length && stream.gaps[at] !== GAP.sentence) at += 1
  return at
}

function readSentence(stream: WordStream, start: number, end: number): SpokenVerb[] {
  const found: SpokenVerb[] = []
  let subordinate = false
  for (let at = start; at < end; at += 1) {
    if (found.length === 0 && at - start > MAX_WORDS_TO_MAIN_VERB) break
    const word = stream.words[at] ?? ''
    const verb = findVerb(word)
    if (verb === undefined) {
      subordinate ||= SUBORDINATES.has(word)
      continue
    }
    if (!actsAsVerb(stream, at, start, verb)) continue
    const negated = isNegated(stream, at)
    const main = found.every(spoken => spoken.negated)
    if (!main && !isConjunct(stream, at)) continue
    const weight = (main ? 1 : 0.7) * (subordinate ? 0.4 : 1)
    found.push({ verb, weight, negated, text: word, isPeer: !main, at })
    if (found.length >= 6) break
  }
  return found
}

function isConjunct(stream: WordStream, at: number): boolean {
  const before = stream.words[at - 1] ?? ''
  // An adverb can come in between, as in "and dynamically invoke".
  const previous = before.endsWith('ly') ? (stream.words[at - 2] ?? '') : before
  return previous === 'and' || previous === 'or' || previous === 'then' || stream.gaps[at] === GAP.comma
}

function actsAsVerb(stream: WordStream, at: number, start: number, verb: VerbForm): boolean {
  const word = stream.words[at] ?? ''
  const previous = at > start ? (stream.words[at - 1] ?? '') : ''
  const next = stream.words[at + 1] ?? ''
  if (next === 'only' && word === 'read') return false
  if (at === start) return !FILLERS.has(word) || opensWithObject(next)
  // After a colon or a bracket, there can be a verb ("Purpose: get …") or a list of items.
  if (stream.gaps[at] === GAP.clause) return !FILLERS.has(word) && !verb.noun
  if (verb.form === 'gerund')
    return previous === 'for' || previous === 'by' || previous === 'without' || isConjunct(stream, at)
  // In "This deletes …", "this" is the subject. In "this update", a noun follows.
  if (verb.form === 'third' && (previous === 'this' || previous === 'that')) return true
  if (NOUN_MARKERS.has(previous)) return false
  if (FILLERS.has(word)) return false
  if (verb.noun && isConjunct(stream, at) && !takesObject(stream, at)) return false
  if (
    VERB_MARKERS.has(previous) ||
    (previous.endsWith('ly') && isConjunct(stream, at)) ||
    previous === IDENTIFIER
  )
    return true
  if (verb.noun) return false
  if (stream.gaps[at] === GAP.comma) return true
  return verb.form === 'third' ? !PLURALS.has(word) : FILLERS.has(previous)
}

/**
 * Returns true if a verb has an object. In "file path, or commit message" nothing is committed; in "or commit the file"
 * something is.
 */
function takesObject(stream: WordStream, at: number): boolean {
  const next = stream.words[at + 1]
  return next === undefined || OBJECT_MARKERS.has(next) || (stream.gaps[at + 1] ?? 0) > GAP.space
}

/**
 * Returns true if an object follows. "Call a function" is an action, while "Call this when …" introduces a condition.
 */
function opensWithObject(next: string): boolean {
  return next === 'a' || next === 'an' || next === 'the'
}

/** One action of a tool that offers several. */
export interface Action {
  readonly verb: VerbForm
  readonly text: string
  readonly from: 'schema' | 'description'
}

const LIST_HEADS = new Set(['operations', 'actions', 'commands', 'subcommands', 'methods'])
const MAX_LISTED = 40

/**
 * Reads actions that are listed in prose, as in "Supported operations: Create, Update, Delete". A single verb is not a
 * list.
 */
export function readListedActions(stream: WordStream): readonly Action[] {
  for (let at = 0; at + 1 < stream.words.length; at += 1) {
    if (!LIST_HEADS.has(stream.words[at] ?? '') || stream.gaps[at + 1] !== GAP.clause) continue
    const actions: Action[] = []
    for (let next = at + 1; next < Math.min(stream.words.length, at + MAX_LISTED); next += 1) {
      const gap = stream.gaps[next] ?? 0
      if (gap === GAP.sentence) break
      const word = stream.words[next] ?? ''
      const verb =
        gap === GAP.space && stream.words[next - 1] !== 'or' && stream.words[next - 1] !== 'and'
          ? undefined
          : findVerb(word)
      if (verb !== undefined) actions.push({ verb, text: word, from: 'description' })
    }
    if (actions.length > 1) return actions
  }
  return []
}
