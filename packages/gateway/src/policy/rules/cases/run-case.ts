import type { Facts } from '../../facts/facts.ts'
import type { Effect, PolicySet } from '../policy-set.ts'
import { verdictOn } from '../verdict-on.ts'

export interface PolicyCase {
  readonly name: string
  /** `file:line`. */
  readonly source: string
  readonly facts: Facts
  readonly expect: Effect
  /** Rules that are expected among those that determined the verdict. */
  readonly rules: readonly string[]
}

export interface CaseResult {
  readonly name: string
  readonly source: string
  readonly passed: boolean
  readonly expected: Effect
  readonly expectedRules: readonly string[]
  readonly verdict: Effect
  /** The rules that actually determined the verdict. */
  readonly rules: readonly string[]
  readonly reasons: readonly string[]
}

export function runCase({ name, source, facts, expect, rules }: PolicyCase, set: PolicySet): CaseResult {
  const { verdict, by } = verdictOn(set, facts)
  const found = by.map(({ id }) => id)
  return {
    name,
    source,
    passed: verdict === expect && rules.every(rule => found.includes(rule)),
    expected: expect,
    expectedRules: rules,
    verdict,
    rules: found,
    reasons: by.map(({ reason }) => `${reason.rule} (${reason.source}): ${reason.text}`),
  }
}
