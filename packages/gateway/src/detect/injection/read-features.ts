import type { Feature } from '@hintgate/metadata'
import { type Finding, LIKELY } from '../text/finding.ts'
import { namePart } from './injection-rules.ts'
import type { Sentence } from './read-sentences.ts'

/** A text that the rules have read. */
export interface ReadText {
  readonly text: string
  readonly sentences: readonly Sentence[]
  readonly findings: readonly Finding[]
}

const MAX_LETTERS = 2000
const GRAM = 5

/**
 * Returns the features of a text: the rules that matched, the roles of its words alone and in pairs, its form (who is
 * addressed, questions, quotation, capitals, markup, scripts), and runs of five letters. The roles of words are the
 * same in every language.
 */
export function readFeatures(read: ReadText): readonly Feature<string>[] {
  const found = new Map<string, number>()
  addRules(read.findings, found)
  for (const sentence of read.sentences) addRoles(sentence, found)
  addForm(read, found)
  addLetters(read.text, found)
  return [...found].map(([id, value]) => ({ id, value, reason: id }))
}

function addRules(findings: readonly Finding[], found: Map<string, number>): void {
  const sureness = findings.reduce((most, { confidence }) => Math.max(most, confidence), 0)
  for (const { rule, confidence } of findings)
    found.set(`${confidence >= LIKELY ? 'likely' : 'weak'}:${rule}`, 1)
  found.set('rules.sure', sureness)
  if (sureness >= LIKELY) found.set('rules.likely', 1)
}

function addRoles({ firsts, isQuestion }: Sentence, found: Map<string, number>): void {
  const roles = firsts.map(({ part }) => namePart(part)).sort()
  roles.forEach((role, at) => {
    found.set(`role:${role}`, 1)
    if (isQuestion) found.set(`asks:${role}`, 1)
    for (const other of roles.slice(at + 1)) found.set(`roles:${role}+${other}`, 1)
  })
}

const FORMS: readonly (readonly [id: string, pattern: RegExp])[] = [
  ['lines', /\n/],
  ['quotation', /["“”][^"“”]{15,}["“”]/],
  ['capitals', /[A-Z]{4}[^a-z]{0,3}[A-Z]/],
  ['markup', /```|<[a-z]+>|\{\{/],
  ['exclamation', /!/],
  ['ends-in-question', /\?\s*$/],
  ['addresses-reader', /\byou(?:r)?\b/i],
  ['speaks-of-itself', /\b(?:i|my|me)\b/i],
  ['speaks-of-others', /\b(?:he|she|they|his|her)\b/i],
  ['opens-with-question', /^\s*(?:how|what|why|can|could|is|are|do|does|where|which|who)\b/i],
  ['two-scripts', /[a-z][^\n]*[\u0370-\u1fff\u3040-\ud7a3]|[\u0370-\u1fff\u3040-\ud7a3][^\n]*[a-z]/i],
]

function addForm({ text, sentences }: ReadText, found: Map<string, number>): void {
  for (const [id, pattern] of FORMS) if (pattern.test(text)) found.set(`form:${id}`, 1)
  found.set(`form:${sizeOf(text.length, [60, 150, 400])}-letters`, 1)
  const ends = text.match(/[.!?。！？](?=\s|$)/g)?.length ?? 0
  found.set(`form:${sizeOf(ends, [1, 4])}-sentences`, 1)
  found.set('form:marked-sentences', Math.min(3, Math.log(1 + sentences.length)))
}

function sizeOf(count: number, bounds: readonly number[]): string {
  const bound = bounds.find(most => count <= most)
  return bound === undefined ? `over-${bounds.at(-1)}` : `to-${bound}`
}

/**
 * Adds runs of basic Latin letters, across words. They represent words in many languages whatever their ending, and
 * misspelt words.
 */
function addLetters(text: string, found: Map<string, number>): void {
  const letters = ` ${text
    .slice(0, MAX_LETTERS)
    .toLowerCase()
    .replace(/[^\p{L}]+/gu, ' ')} `
  for (let at = 0; at + GRAM <= letters.length; at += 1) {
    const run = letters.slice(at, at + GRAM)
    if (isBasic(run)) found.set(`letters:${run}`, 1)
  }
}

function isBasic(run: string): boolean {
  for (let at = 0; at < run.length; at += 1) if (run.charCodeAt(at) > 127) return false
  return true
}
