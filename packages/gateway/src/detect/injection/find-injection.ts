import { type Finding, LIKELY, SURE } from '../text/finding.ts'
import { findChatMark, findShapes } from './find-shapes.ts'
import { INJECTION_RULES, type InjectionRule } from './injection-rules.ts'
import type { Mark } from './read-marks.ts'
import { readSentences, type Sentence } from './read-sentences.ts'

export type InjectionFinding = Finding

/** A text's first words, where an order has its verb. */
const OPENING = 8
/** More than this from one text tells a reader nothing new; of more, the surest count. */
const MAX_FINDINGS = 50

/**
 * Text in a result that talks to the model instead of informing it. A finding is a hint for marking a result:
 * people write such sentences to each other too, so the confidence says how much else it could be.
 */
export function findInjection(text: string): readonly InjectionFinding[] {
  const added = addUp([...findShapes(text), ...findOrders(text)])
  return added.length <= MAX_FINDINGS ? added : surestOf(added)
}

/**
 * The same for a few words, of which a result may have thousands. Only what is sure: a label or a title is about passwords
 * and answers, too, and there is nothing around it to tell by.
 *
 * @example
 * findInFewWords('Forgot your password?') // => []
 */
export function findInFewWords(text: string): readonly InjectionFinding[] {
  const orders = findOrders(text).filter(({ confidence }) => confidence >= SURE)
  const chat = findChatMark(text)
  return chat.length === 0 ? orders : [...chat, ...orders]
}

function findOrders(text: string): readonly Finding[] {
  const sentences = readSentences(text)
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

/** In the order of the text. Whoever begins with fifty harmless oddities hides nothing behind them. */
function surestOf(found: readonly Finding[]): readonly Finding[] {
  const surest = found.toSorted((a, b) => b.confidence - a.confidence).slice(0, MAX_FINDINGS)
  return surest.toSorted((a, b) => a.start - b.start)
}

/** Two signs further apart than this have nothing to do with each other. */
const NEAR = 400

/** Weak signs of two kinds close together are a sign: each then counts as likely. */
function addUp(found: readonly Finding[]): readonly Finding[] {
  const sorted = found.toSorted((a, b) => a.start - b.start)
  return sorted.map((finding, at) => {
    if (finding.confidence >= LIKELY) return finding
    const isBacked = [sorted[at - 1], sorted[at + 1]].some(
      other => other !== undefined && backs(finding, other),
    )
    return isBacked ? { ...finding, confidence: LIKELY } : finding
  })
}

function backs(finding: Finding, other: Finding): boolean {
  return other.rule !== finding.rule && Math.abs(other.start - finding.start) < NEAR
}

/** The rules that sentences with the same parts may fit: there can be hundreds of thousands of them, mostly for none. */
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
    const place = fit(rule, sentence, text)
    if (place !== undefined) best = { rule: rule.id, ...place, confidence: rule.confidence }
  }
  return best
}

function fit(
  rule: InjectionRule,
  sentence: Sentence,
  text: string,
): { start: number; end: number } | undefined {
  if (rule.only.has('question') && (!sentence.isQuestion || looksAfter(sentence, text))) return undefined
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

/** Questions of people who look after what is theirs, and of nothing else: `How do I reset my password?` */
const LOOKS_AFTER =
  /^[\s"'“>*#(-]{0,6}(?:Q: )?(?:how (?:do|can|should) (?:i|we|users) (?:reset|set|change|recover|update|renew|replace|revoke|rotate|choose)(?:(?!\band\b)[^,;:]){1,40}|(?:i )?(?:forgot|forgotten|lost) (?:my|your) \w+)\?$/i
/** They are short. */
const MAX_LOOKS_AFTER = 120

function looksAfter({ start, end }: Sentence, text: string): boolean {
  return end - start <= MAX_LOOKS_AFTER && LOOKS_AFTER.test(text.slice(start, end).trimEnd())
}

const ORDER =
  /^[\s"'“>*#(-]{0,6}(?:please |kindly |now,? |then,? |and |also,? |remember to |make sure to |in |at the end of |can you |could you )?(?:write|print|spell|encode|split|translate|reply|respond|answer|provide|give|show|use|apply|shift|append|add|insert|include|enhance|integrate|incorporate|mention|start|begin|end|repeat|output|convert|substitute|employ|leverage|blend|seamlessly|utilize|embed|remember|replace|conclude|finish|reveal|list|weave|infuse|your|complement|supplement|combine|consider|ensure|encrypt|hide|compose|create|display)\b/i

/** Whether a sentence opens with a verb that wants something done. */
function isOrder({ start }: Sentence, text: string): boolean {
  return ORDER.test(text.slice(start, start + OPENING * 10))
}

/** A name goes on behind the word, or is a function's: `encodeURIComponent`, `decode_uri`, `decode(`, `encode: (value) =>`. */
const GOES_ON = /[a-z\d]*(?:(?<=[a-z\d])[A-Z]|(?<=\w)(?:[_$(]|: \())/y
/** A name began before it: `_decode`, `#decoder`, `buffer.encode`. */
const BEGAN = /[_$#]$|[\w)\]]\??\.$/
/** The first word of its line, or of a list: there `state:` is a member of something. */
const OPENS = /(?:^|[\n({[,])[ \t]*$/
/** What a test is called: it tells of a program, and nobody to do anything. */
const TITLE = /(?:^|[\n*'"`(])[ \t]*should (?:always |not |never )?$/
/** How far before a word its surroundings are looked at. */
const LONGEST_BEFORE = 40

/** Whether somebody is told a word. Code has the same words in its names. */
function isSpoken(text: string, { start, end }: Mark): boolean {
  const before = text.slice(Math.max(0, start - LONGEST_BEFORE), start)
  if (BEGAN.test(before) || TITLE.test(before)) return false
  const word = text.slice(start, end)
  if (word.endsWith(':')) return !/^[a-z]/.test(word) || !OPENS.test(before)
  GOES_ON.lastIndex = end
  return !GOES_ON.test(text)
}
