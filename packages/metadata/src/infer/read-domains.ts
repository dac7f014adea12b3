import type { ServiceDomain } from '../authoring/service-domains.ts'
import { DOMAIN_RULES, type DomainRule } from './domain-words.ts'
import type { Evidence, Judgement } from './inference.ts'
import { judge } from './judge.ts'

const MAX_DOMAINS = 3
/** A word in the name counts three times as much as one in the description, because authors choose names with care. */
const NAME_WEIGHT = 3
const MAX_WORDS = 120
const MIN_SCORE = 2

const rulesOf = new Map<string, DomainRule[]>()
for (const rule of DOMAIN_RULES) {
  for (const word of rule.words) rulesOf.set(word, [...(rulesOf.get(word) ?? []), rule])
}

interface Found {
  score: number
  readonly evidence: Evidence[]
}

/**
 * Infers the kinds of service from the words in the name and the description. Returns at most three, the most likely
 * first.
 */
export function readDomains(
  nameWords: readonly string[],
  textWords: readonly string[],
): readonly Judgement<ServiceDomain>[] {
  const found = new Map<ServiceDomain, Found>()
  for (const word of nameWords) note(word, 'name', found)
  for (const word of textWords.slice(0, MAX_WORDS)) note(word, 'description', found)
  return [...found]
    .filter(([, { score }]) => score >= MIN_SCORE)
    .sort(([, a], [, b]) => b.score - a.score)
    .slice(0, MAX_DOMAINS)
    .map(([domain, { score, evidence }]) => judge(domain, Math.min(0.9, 0.25 + 0.09 * score), evidence))
}

function note(word: string, from: 'name' | 'description', found: Map<ServiceDomain, Found>): void {
  const rules = rulesOf.get(word)
  if (rules === undefined) return
  for (const rule of rules) {
    const entry = found.get(rule.domain) ?? { score: 0, evidence: [] }
    found.set(rule.domain, entry)
    if (entry.evidence.some(({ text }) => text === word)) continue
    entry.score += from === 'name' ? NAME_WEIGHT : 1
    entry.evidence.push({ rule: rule.id, from, text: word })
  }
}
