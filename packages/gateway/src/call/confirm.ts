import { type CarriedState, SEALED_PREFIX } from '../approvals/seal.ts'
import type { Classified } from '../exchange/incoming-call.ts'
import type { Outcome } from '../exchange/outcome.ts'
import type { Decision } from '../policy/decide.ts'
import { isInputRequired } from '../protocol/eras.ts'
import { RPC } from '../protocol/messages.ts'
import { Confirmation, type Confirmed, carrierOf, type Means, paramsFor } from './ask-person.ts'
import type { CallDeps } from './call-deps.ts'

/**
 * Asks a person where the verdict says so. An approval is a capability: for this caller, this tool as it is now, these
 * arguments and these rules, for a short time, once. Whoever comes back is judged anew before it is looked at.
 */
export function confirm(
  classified: Classified,
  decision: Exclude<Decision, { verdict: 'deny' }>,
  { deps, run, recheck }: Means,
): Confirmed | Promise<Confirmed> {
  const { params } = classified.call
  const isOurs = typeof params.requestState === 'string' && params.requestState.startsWith(SEALED_PREFIX)
  if (!isOurs && decision.verdict === 'allow') return { kind: 'go', params }
  const state = isOurs ? deps.sealer.open(String(params.requestState)) : undefined
  if (isOurs && state === undefined) return { kind: 'end', outcome: LOST }
  if (decision.verdict === 'allow')
    return isCarriedBy(classified, state)
      ? { kind: 'go', params: paramsFor(params, state) }
      : { kind: 'end', outcome: LOST }
  return new Confirmation(classified, decision, { deps, run, recheck }).settle(state)
}

/** What a server said to one caller of one tool goes back from there and from nowhere else, also where nobody need be asked. */
function isCarriedBy(classified: Classified, state: CarriedState | undefined): boolean {
  const { caller, tool } = carrierOf(classified)
  return state?.caller === caller && state.tool === tool
}

const LOST: Outcome = {
  kind: 'error',
  error: {
    code: RPC.invalidParams,
    message: 'this request state was not made here, or was changed on the way',
    data: { reason: 'invalid_request_state' },
  },
}

/** A server that asks in the middle of an approved call gets its answer under the same approval, once. */
export function carryOn(
  outcome: Outcome,
  classified: Classified,
  { confirmed, deps }: { confirmed: Extract<Confirmed, { kind: 'go' }>; deps: CallDeps },
): Outcome | Promise<Outcome> {
  const { approval } = confirmed
  const isAsking = outcome.kind === 'answered' && isInputRequired(outcome.result)
  if (!isAsking || approval === undefined) return outcome
  const { result } = outcome
  const inner = typeof result.requestState === 'string' ? result.requestState : ''
  return deps.approvals.extend(approval).then(extended => {
    const requestState = deps.sealer.seal({ approval: extended.id, ...carrierOf(classified), inner })
    return { kind: 'answered', result: { ...result, requestState } }
  })
}
