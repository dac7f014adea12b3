import { type Finding, LIKELY, SURE } from '../text/finding.ts'
import { findChatMark, findShapes } from './find-shapes.ts'
import { INJECTION_RULES, type InjectionRule } from './injection-rules.ts'
import type { ReadText } from './read-features.ts'
import type { Mark } from './read-marks.ts'
import { readSentences, type Sentence } from './read-sentences.ts'
import { weighText } from './weigh-text.ts'

export type InjectionFinding = Finding

/** The number of words at the beginning of a sentence that must contain the verb of an order. */
const OPENING = 8
/** Maximum number of findings per text. If there are more, the most confident ones are kept. */
const MAX_FINDINGS = 50

/**
 * Finds text in a result that gives the model instructions. People also write such sentences to each other, so each
 * finding has a confidence.
 */
export function findInjection(text: string): readonly InjectionFinding[] {
  const found = weighText(readText(text))
  return found.length <= MAX_FINDINGS ? found : surestOf(found)
}

/** Returns what the rules alone find, with the sentences that they read. */
export function readText(text: string): ReadText {
  const sentences = readSentences(text)
  return { text, sentences, findings: raiseSupported([...findShapes(text), ...findOrders(text, sentences)]) }
}

/**
 * Finds prompt injections in short strings, of which a result can have thousands. Returns only confident findings, because
 * labels and titles also mention passwords and answers, and have no context to judge by.
 *
 * @example
 * findInFewWords('Forgot your password?') // => []
 */
export function findInFewWords(text: string): readonly InjectionFinding[] {
  const orders = findOrders(text, readSentences(text)).filter(({ confidence }) => confidence >= SURE)
  const chat = findChatMark(text)
  return chat.length === 0 ? orders : [...chat, ...orders]
}

function findOrders(text: string, sentences: readonly Sentence[]): readonly Finding[] {
  if (sentences.length === 0) return NONE
  const found: Finding[] = []
  const candidates = new Candidates()
  for (const sentence of sentences) {
    const finding = judgeSentence(sentence, text, candidates.of(sentence))
    if (finding !== undefined) found.push(finding)
  }
  return found
}

const NONE: readonly Finding[] = []

/** Returns the most confident findings, in text order, so that many weak ones cannot hide a strong one. */
function surestOf(found: readonly Finding[]): readonly Finding[] {
  const surest = found.toSorted((a, b) => b.confidence - a.confidence).slice(0, MAX_FINDINGS)
  return surest.toSorted((a, b) => a.start - b.start)
}

/** Maximum distance, in characters, at which findings support each other. */
const NEAR = 400

/** Two weak findings of different rules that are close together support each other, so both are raised to likely. */
function raiseSupported(found: readonly Finding[]): readonly Finding[] {
  const sorted = found.toSorted((a, b) => a.start - b.start)
  return sorted.map((finding, at) => {
    if (finding.confidence >= LIKELY) return finding
    const isSupported = [sorted[at - 1], sorted[at + 1]].some(
      other => other !== undefined && supports(finding, other),
    )
    return isSupported ? { ...finding, confidence: LIKELY } : finding
  })
}

function supports(finding: Finding, other: Finding): boolean {
  return other.rule !== finding.rule && Math.abs(other.start - finding.start) < NEAR
}

/**
 * Caches the rules that can match a sentence, by the parts in it, because a text can have hundreds of thousands of
 * sentences.
 */
class Candidates {
  readonly #known = new Map<number, readonly InjectionRule[]>()

  of({ parts }: Sentence): readonly InjectionRule[] {
    const known = this.#known.get(parts)
    if (known !== undefined) return known
    const rules = INJECTION_RULES.filter(({ needs }) => needs.every(bits => (bits & parts) !== 0))
    this.#known.set(parts, rules)
    return rules
  }
}

function judgeSentence(
  sentence: Sentence,
  text: string,
  rules: readonly InjectionRule[],
): Finding | undefined {
  let best: Finding | undefined
  for (const rule of rules) {
    if (best !== undefined && rule.confidence <= best.confidence) continue
    const range = fit(rule, sentence, text)
    if (range !== undefined) best = { rule: rule.id, ...range, confidence: rule.confidence }
  }
  return best
}

function fit(
  rule: InjectionRule,
  sentence: Sentence,
  text: string,
): { start: number; end: number } | undefined {
  if (rule.only.has('question') && (!sentence.isQuestion || asksAboutOwn(sentence, text))) return undefined
  const marks =
    rule.within === undefined
      ? findAnywhere(rule, marksFor(rule, sentence, text))
      : findInOrder(rule, sentence, rule.within)
  if (marks === undefined) return undefined
  if (rule.only.has('order') && !isOrder(sentence, text)) return undefined
  return {
    start: Math.min(...marks.map(({ start }) => start)),
    end: Math.max(...marks.map(({ end }) => end)),
  }
}

function marksFor(rule: InjectionRule, { marks, firsts }: Sentence, text: string): readonly Mark[] {
  return rule.only.has('spoken') ? marks.filter(mark => isSpoken(text, mark)) : firsts
}

function findAnywhere({ needs }: InjectionRule, marks: readonly Mark[]): readonly Mark[] | undefined {
  const chosen = needs.map(bits => marks.find(({ part }) => (bits & part) !== 0))
  return chosen.every(mark => mark !== undefined) ? chosen : undefined
}

function findInOrder(
  { needs: [first = 0, second = 0] }: InjectionRule,
  { marks }: Sentence,
  within: number,
): readonly Mark[] | undefined {
  let opener: Mark | undefined
  for (const mark of marks) {
    const isSecond = opener !== undefined && (second & mark.part) !== 0
    if (isSecond && opener && mark.word - opener.word <= within && mark.start >= opener.end)
      return [opener, mark]
    if ((first & mark.part) !== 0) opener = mark
  }
  return undefined
}

/** Matches ordinary questions about one's own credentials: `How do I reset my password?` */
const OWN_CREDENTIALS =
  /^[\s"'“>*#(-]{0,6}(?:Q: )?(?:how (?:do|can|should) (?:i|we|users) (?:reset|set|change|recover|update|renew|replace|revoke|rotate|choose)(?:(?!\band\b)[^,;:]){1,40}|(?:i )?(?:forgot|forgotten|lost) (?:my|your) \w+)\?$/i
/** Maximum length of such a question, because ordinary ones are short. */
const MAX_OWN_CREDENTIALS = 120

function asksAboutOwn({ start, end }: Sentence, text: string): boolean {
  return end - start <= MAX_OWN_CREDENTIALS && OWN_CREDENTIALS.test(text.slice(start, end).trimEnd())
}

const ORDER =
  /^[\s"'“>*#(-]{0,6}(?:please |kindly |now,? |then,? |and |also,? |remember to |make sure to |in |at the end of |can you |could you )?(?:write|print|spell|encode|split|translate|reply|respond|answer|provide|give|show|use|apply|shift|append|add|insert|include|enhance|integrate|incorporate|mention|start|begin|end|repeat|output|convert|substitute|employ|leverage|blend|seamlessly|utilize|embed|remember|replace|conclude|finish|reveal|list|weave|infuse|your|complement|supplement|combine|consider|ensure|encrypt|hide|compose|create|display)\b/i

/** True if a sentence starts with an imperative. */
function isOrder({ start }: Sentence, text: string): boolean {
  return ORDER.test(text.slice(start, start + OPENING * 10))
}

/**
 * Matches a word that begins an identifier or a function call, as in `encodeURIComponent`, `decode_uri`, `decode(` or
 * `encode: (value) =>`.
 */
const CONTINUES = /[a-z\d]*(?:(?<=[a-z\d])[A-Z]|(?<=\w)(?:[_$(]|: \())/y
/** Matches the text before a word that ends an identifier, as in `_decode`, `#decoder` or `buffer.encode`. */
const IDENTIFIER_BEFORE = /[_$#]$|[\w)\]]\??\.$/
/** Matches the text before the first word of a line or a list, where `state:` is a member of an object. */
const STARTS_LINE = /(?:^|[\n({[,])[ \t]*$/
/** Matches the start of a test's title. A title describes a program and is not an order. */
const TITLE = /(?:^|[\n*'"`(])[ \t]*should (?:always |not |never )?$/
/** The number of characters examined before a word. */
const LONGEST_BEFORE = 40

/** True if a word is prose. Code has the same words in identifiers. */
function isSpoken(text: string, { start, end }: Mark): boolean {
  const before = text.slice(Math.max(0, start - LONGEST_BEFORE), start)
  if (IDENTIFIER_BEFORE.test(before) || TITLE.test(before)) return false
  const word = text.slice(start, end)
  if (word.endsWith(':')) return !/^[a-z]/.test(word) || !STARTS_LINE.test(before)
  CONTINUES.lastIndex = end
  return !CONTINUES.test(text)
}
