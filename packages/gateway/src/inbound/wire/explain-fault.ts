import { HintgateError } from '../../base/errors.ts'
import { INTERNAL_ERROR, RPC, type RpcError } from '../../protocol/messages.ts'

const UNAVAILABLE = 503

/**
 * What a client learns of something that went wrong here. Where the store is at fault it learns that, and that it may try
 * again; of our own faults it learns only that there was one. The details are for the operator.
 */
export function explainFault(error: unknown): { readonly status: number; readonly error: RpcError } {
  if (!(error instanceof HintgateError) || !error.code.startsWith('store_'))
    return { status: 500, error: INTERNAL_ERROR }
  const message = 'the gateway cannot use its store at the moment; nothing was done'
  return { status: UNAVAILABLE, error: { code: RPC.internal, message, data: { code: error.code } } }
}
