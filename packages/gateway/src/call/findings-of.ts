import type { ResultFinding } from '../audit/entry.ts'
import type { Outcome } from '../exchange/outcome.ts'
import { findingsIn } from '../results/findings-in.ts'

/** What the check of a result found; undefined for nothing. */
export function findingsOf(outcome: Outcome): readonly ResultFinding[] | undefined {
  if (outcome.kind === 'answered') return findingsIn(outcome.result._meta)
  if (outcome.kind === 'error') return findingsIn(outcome.error.data)
  return outcome.kind === 'refused' ? findingsBehind(outcome.refusal.reasons) : undefined
}

const RESULT = 'result.'

/** A result that was held back is described by the reasons of its refusal. */
function findingsBehind(
  reasons: readonly { readonly rule: string; readonly text: string }[],
): readonly ResultFinding[] | undefined {
  const found = reasons
    .filter(({ rule }) => rule.startsWith(RESULT))
    .map(({ rule, text }) => ({
      ...{ kind: rule.slice(RESULT.length), rule: text, count: 1 },
      action: 'blocked' as const,
    }))
  return found.length === 0 ? undefined : found
}
