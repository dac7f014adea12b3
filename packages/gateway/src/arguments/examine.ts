import type { Json } from '../protocol/messages.ts'
import { NO } from './answer.ts'
import { checkNode } from './check-node.ts'
import type { Finding } from './finding.ts'
import type { Rules } from './rules.ts'
import { Run } from './run.ts'

export type Examination =
  | { readonly kind: 'passed'; readonly spent: number }
  | { readonly kind: 'unchecked'; readonly spent: number }
  | { readonly kind: 'failed'; readonly spent: number; readonly findings: readonly Finding[] }

/**
 * Checks arguments within a budget. When that is spent they count as unchecked, and pass: the check is a service to the agent,
 * which learns at once how to mend its call, and the server will do its own; to refuse what is merely too much to check would
 * break calls that work.
 */
export function examine(args: unknown, schema: Json, rules: Rules): Examination {
  const run = new Run(rules, checkNode)
  try {
    const answer = run.check(args, schema)
    const { spent } = run.budget
    return answer === NO ? { kind: 'failed', spent, findings: run.findings } : { kind: 'passed', spent }
  } catch {
    // Almost always `Spent`; running out of stack is the same by another name.
    return { kind: 'unchecked', spent: run.budget.spent }
  }
}
