import { HintgateError } from '../../base/errors.ts'
import { INTERNAL_ERROR, RPC, type RpcError } from '../../protocol/messages.ts'

const UNAVAILABLE = 503

/**
 * Explains an internal error to a client. If the store failed, the client learns the code and that it can try again.
 * Otherwise it learns only that there was an error. The details for the operator are in the log.
 */
export function explainFault(error: unknown): { readonly status: number; readonly error: RpcError } {
  if (!(error instanceof HintgateError) || !error.code.startsWith('store_'))
    return { status: 500, error: INTERNAL_ERROR }
  const message = 'the gateway cannot use its store at the moment, so nothing was done; try again later'
  return { status: UNAVAILABLE, error: { code: RPC.internal, message, data: { code: error.code } } }
}
