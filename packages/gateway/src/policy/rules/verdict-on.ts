import type { Facts } from '../facts/facts.ts'
import { spellingsOf } from '../facts/request-facts.ts'
import { type Effect, type PolicySet, type PolicyVerdict, verdictOf } from './policy-set.ts'

const STRICTNESS: Readonly<Record<Effect, number>> = { allow: 0, confirm: 1, deny: 2 }

/**
 * Returns the verdict of a policy on a call, or on a request for a resource or a prompt. A resource is judged under
 * each way to write its URI, and the strictest verdict counts.
 */
export function verdictOn(policies: Pick<PolicySet, 'evaluate' | 'fallback'>, facts: Facts): PolicyVerdict {
  const { kind, name } = facts.tool
  const names = kind === 'resource' ? spellingsOf({ kind, name }) : [name]
  const verdicts = names.map(one => {
    const about = one === name ? facts : { ...facts, tool: { ...facts.tool, name: one, title: one } }
    return verdictOf(policies.evaluate(about), policies.fallback)
  })
  return verdicts.reduce((a, b) => (STRICTNESS[b.verdict] > STRICTNESS[a.verdict] ? b : a))
}
