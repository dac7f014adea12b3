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
 * Checks arguments within a budget. When that is spent they count as unchecked, which is neither right nor wrong: whoever asks
 * decides what it is worth. To a call that only reads the check is a service, and the server will do its own; to any other it is
 * a check that arguments must not be able to switch off by their length.
 */
export function examine(args: unknown, schema: Json, rules: Rules): Examination {
  const run = new Run(rules, checkNode)
  try {
    const answer = run.check(args, schema)
    const { spent, fellShort } = run.budget
    if (answer === NO) return { kind: 'failed', spent, findings: run.findings }
    return { kind: fellShort ? 'unchecked' : 'passed', spent }
  } catch {
    // Almost always `Spent`; running out of stack is the same by another name.
    return { kind: 'unchecked', spent: run.budget.spent }
  }
}
