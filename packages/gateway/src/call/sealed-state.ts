import { FORM_KEY } from '../approvals/form.ts'
import type { SealedState } from '../approvals/seal.ts'
import type { Classified } from '../exchange/incoming-call.ts'
import type { Outcome } from '../exchange/outcome.ts'
import { isJsonObject, type Json, RPC } from '../protocol/messages.ts'
import type { StoredApproval } from '../store/approval-store.ts'
import type { UpstreamServer } from '../upstream/upstream-server.ts'
import { screenAsking } from './ask-one-by-one.ts'
import type { CallDeps } from './call-deps.ts'

export function stateOwnerOf({ call, tool }: Classified): Pick<SealedState, 'caller' | 'tool'> {
  return ownerOfState(call.exchange.caller.principal.id, {
    server: tool.server,
    tool: tool.name,
    set: call.set?.name,
  })
}

/** The owner of the state of a call that is not classified yet. `set` is the toolset in which it is made. */
export function ownerOfState(
  caller: string,
  {
    server,
    tool,
    set,
  }: { readonly server: string; readonly tool: string; readonly set?: string | undefined },
): Pick<SealedState, 'caller' | 'tool'> {
  const id = `${server}:${tool}`
  return { caller, tool: set === undefined ? id : `${id} in ${set}` }
}

/**
 * True if a request state belongs to this caller and tool. A state is valid for no others, even if it has no approval.
 */
export function isStateOf(classified: Classified, state: SealedState | undefined): boolean {
  const { caller, tool } = stateOwnerOf(classified)
  return state?.caller === caller && state.tool === tool
}

export const LOST: Outcome = {
  kind: 'error',
  error: {
    code: RPC.invalidParams,
    message: 'this request state was not created by this gateway, or it was changed',
    data: { reason: 'invalid_request_state' },
  },
}

/**
 * Removes the parameters that concern only the client and the gateway. Answers go to a server only if the sealed state
 * shows that it asked.
 */
export function paramsFor(params: Json, state: SealedState | undefined): Json {
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

export interface Asking {
  readonly approval: StoredApproval | undefined
  /** The binding of this very call, if it was approved. */
  readonly once: string | undefined
  readonly server: UpstreamServer
  readonly deps: CallDeps
}

/**
 * Seals the state of a result that asks for input. If the server asks during an approved call, the same approval covers
 * the answer, once.
 */
export async function sealQuestion(
  outcome: Answered,
  classified: Classified,
  { approval, once, server, deps }: Asking,
): Promise<Outcome> {
  const screened = await screenAsking(outcome.result, server)
  if ('error' in screened) return { kind: 'error', error: screened.error }
  const { result } = screened
  if (approval === undefined || once === undefined)
    return result === outcome.result ? outcome : { kind: 'answered', result, bytes: outcome.bytes }
  const inner = typeof result.requestState === 'string' ? result.requestState : ''
  const extended = await deps.approvals.extend(approval, { once, validMs: deps.confirming().validMs })
  const requestState = deps.sealer.seal({ approval: extended.id, ...stateOwnerOf(classified), inner })
  return { kind: 'answered', result: { ...result, requestState } }
}
