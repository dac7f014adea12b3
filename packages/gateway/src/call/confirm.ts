import { SEALED_PREFIX } from '../approvals/seal.ts'
import type { Classified } from '../exchange/incoming-call.ts'
import type { Outcome } from '../exchange/outcome.ts'
import type { Decision } from '../policy/decide.ts'
import { isInputRequired } from '../protocol/eras.ts'
import type { StoredApproval } from '../store/approval-store.ts'
import type { UpstreamServer } from '../upstream/upstream-server.ts'
import { Confirmation, type Confirmed, comeBack, type Means } from './ask-person.ts'
import type { CallDeps } from './call-deps.ts'
import { carryQuestion } from './sealed-state.ts'

/**
 * Asks a person where the verdict says so. An approval is a capability: for this caller, this tool as it is now, these
 * arguments and these rules, for a short time, once. Whoever comes back is judged anew before it is looked at.
 */
export function confirm(
  classified: Classified,
  decision: Exclude<Decision, { verdict: 'deny' }>,
  means: Means,
): Confirmed | Promise<Confirmed> {
  const { params } = classified.call
  const { requestState } = params
  if (typeof requestState === 'string' && requestState.startsWith(SEALED_PREFIX))
    return comeBack(classified, decision, means)
  if (decision.verdict === 'allow') return { kind: 'go', params }
  return new Confirmation(classified, decision, means).settle(undefined)
}

/** A call whose server asks for input is not over: its client comes back with the answer. */
export function carryOn(
  outcome: Outcome,
  classified: Classified,
  asking: {
    readonly approval: StoredApproval | undefined
    readonly server: UpstreamServer
    readonly deps: CallDeps
  },
): Outcome | Promise<Outcome> {
  const isAsking = outcome.kind === 'answered' && isInputRequired(outcome.result)
  return isAsking ? carryQuestion(outcome, classified, asking) : outcome
}
