import { FORM_KEY } from '../approvals/form.ts'
import type { CarriedState } from '../approvals/seal.ts'
import type { Classified } from '../exchange/incoming-call.ts'
import type { Outcome } from '../exchange/outcome.ts'
import { isJsonObject, type Json, RPC } from '../protocol/messages.ts'
import type { StoredApproval } from '../store/approval-store.ts'
import type { UpstreamServer } from '../upstream/upstream-server.ts'
import { screenAsking } from './ask-one-by-one.ts'
import type { CallDeps } from './call-deps.ts'

export function carrierOf({ call, tool }: Classified): Pick<CarriedState, 'caller' | 'tool'> {
  return { caller: call.exchange.caller.principal.id, tool: `${tool.server}:${tool.name}` }
}

/** What a server said to one caller of one tool goes back from there and from nowhere else, also where nobody need be asked. */
export function isCarriedBy(classified: Classified, state: CarriedState | undefined): boolean {
  const { caller, tool } = carrierOf(classified)
  return state?.caller === caller && state.tool === tool
}

export const LOST: Outcome = {
  kind: 'error',
  error: {
    code: RPC.invalidParams,
    message: 'this request state was not made here, or was changed on the way',
    data: { reason: 'invalid_request_state' },
  },
}

/**
 * What was between the client and us is not the server's affair. Answers go to a server only where it asked, which the
 * sealed state says: nobody has seen any others.
 */
export function paramsFor(params: Json, state: CarriedState | undefined): Json {
  const { requestState: _state, inputResponses, ...rest } = params
  if (state?.inner === undefined) return rest
  const { [FORM_KEY]: _ours, ...others } = isJsonObject(inputResponses) ? inputResponses : {}
  return {
    ...rest,
    ...(Object.keys(others).length === 0 ? {} : { inputResponses: others }),
    ...(state.inner === '' ? {} : { requestState: state.inner }),
  }
}

type Answered = Extract<Outcome, { kind: 'answered' }>

interface Asking {
  readonly approval: StoredApproval | undefined
  readonly server: UpstreamServer
  readonly deps: CallDeps
}

/** A result that asks for input. A server that asks in the middle of an approved call gets its answer under the same approval, once. */
export async function carryQuestion(
  outcome: Answered,
  classified: Classified,
  { approval, server, deps }: Asking,
): Promise<Outcome> {
  const screened = await screenAsking(outcome.result, server)
  if ('error' in screened) return { kind: 'error', error: screened.error }
  const { result } = screened
  if (approval === undefined)
    return result === outcome.result ? outcome : { kind: 'answered', result, bytes: outcome.bytes }
  const inner = typeof result.requestState === 'string' ? result.requestState : ''
  const extended = await deps.approvals.extend(approval)
  const requestState = deps.sealer.seal({ approval: extended.id, ...carrierOf(classified), inner })
  return { kind: 'answered', result: { ...result, requestState } }
}
