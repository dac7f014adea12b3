import { LinearModel } from '@hintgate/metadata'
import { type Finding, LIKELY, SURE } from '../text/finding.ts'
import { INJECTION_RULES } from './injection-rules.ts'
import WEIGHTS from './injection-weights.json' with { type: 'json' }
import { type ReadText, readFeatures } from './read-features.ts'

/** The name that findings of the learned weights have in place of a rule. */
const LEARNED = 'reads-like-injection'
/**
 * Maximum length of a text that is judged by weights, which were learned from texts up to this length. Longer ones are
 * left to the rules.
 */
const MAX_WEIGHED = 6000
const SHORT = 100
/** Maximum confidence of a learned judgement, which is never sure enough to block a result. */
const MOST_CONFIDENT = 0.75
const DOUBTED = LIKELY - 0.05

const BY_WORDS = new Set(INJECTION_RULES.map(({ id }) => id))

const shipped = new LinearModel(WEIGHTS)

/**
 * Judges a text as a whole by learned weights. Adds a finding if the rules found nothing likely, and lowers the
 * confidence of their findings if the rest of the text speaks against them. Findings of rules that are almost never
 * wrong stay as they are.
 */
export function weighText(read: ReadText, model: LinearModel = shipped): readonly Finding[] {
  const { text, findings, sentences } = read
  const isShort = text.length <= MAX_WEIGHED
  if (!isShort || (sentences.length === 0 && findings.length === 0)) return findings
  const sureness = findings.reduce((most, { confidence }) => Math.max(most, confidence), 0)
  if (sureness >= SURE) return findings
  const [answer] = model.answer(readFeatures(read))
  if (answer === undefined) return findings
  if (!answer.value) return findings.map(doubt)
  if (sureness >= LIKELY || isShortQuestion(read)) return findings
  const densest = sentences.toSorted((a, b) => b.firsts.length - a.firsts.length)[0] ?? findings[0]
  if (densest === undefined) return findings
  const confidence = Math.min(MOST_CONFIDENT, Math.max(LIKELY, answer.chance))
  return [...findings, { rule: LEARNED, start: densest.start, end: densest.end, confidence }]
}

/** "Could you tell me …?" alone is a question that people ask each other. */
function isShortQuestion({ text, sentences }: ReadText): boolean {
  const roles = sentences.reduce((bits, { parts }) => bits | parts, 0)
  return text.length <= SHORT && (roles & (roles - 1)) === 0
}

/**
 * Lowers a finding's confidence, unless it is a shape such as encoded text. The meaning of words depends on the words
 * around them, but a shape means the same in any context.
 */
function doubt(finding: Finding): Finding {
  return finding.confidence < LIKELY || !BY_WORDS.has(finding.rule)
    ? finding
    : { ...finding, confidence: DOUBTED }
}
