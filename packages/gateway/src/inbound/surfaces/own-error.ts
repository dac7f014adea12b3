import type { RefusalCode } from '../../exchange/outcome.ts'
import type { RpcError } from '../../protocol/messages.ts'

/** An error that we made ourselves: its code is one of ours, which of a server's error nobody can say. */
export interface OwnError extends RpcError {
  readonly data?: { readonly code: RefusalCode }
}
