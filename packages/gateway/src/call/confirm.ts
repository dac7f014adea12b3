import { SEALED_PREFIX } from '../approvals/seal.ts'
import type { Classified } from '../exchange/incoming-call.ts'
import type { Outcome } from '../exchange/outcome.ts'
import type { Decision } from '../policy/decide.ts'
import { isInputRequired } from '../protocol/eras.ts'
import { isTask } from '../protocol/tasks.ts'
import { Confirmation, type ConfirmationDeps, type Confirmed, resume } from './ask-person.ts'
import { keepTask } from './keep-task.ts'
import { type Asking, sealQuestion } from './sealed-state.ts'

/**
 * Asks a person if the verdict requires it. An approval is valid for one call, for a short time, by this caller to this
 * version of the tool, with these arguments and under these rules. A repeated call is judged again before its approval
 * counts.
 */
export function confirm(
  classified: Classified,
  decision: Exclude<Decision, { verdict: 'deny' }>,
  deps: ConfirmationDeps,
): Confirmed | Promise<Confirmed> {
  const { params } = classified.call
  const { requestState } = params
  if (typeof requestState === 'string' && requestState.startsWith(SEALED_PREFIX))
    return resume(classified, decision, deps)
  if (decision.verdict === 'allow') return { kind: 'proceed', params }
  return new Confirmation(classified, decision, deps).settle(undefined)
}

/**
 * If the server asks for input, the call stays open until its client repeats it with the answer. If the server made a
 * task, the call stays open until that task is over.
 */
export function keepOpen(
  outcome: Outcome,
  classified: Classified,
  asking: Asking,
): Outcome | Promise<Outcome> {
  if (outcome.kind !== 'answered') return outcome
  if (isTask(outcome.result)) return keepTask(outcome, classified, asking.deps)
  return isInputRequired(outcome.result) ? sealQuestion(outcome, classified, asking) : outcome
}
