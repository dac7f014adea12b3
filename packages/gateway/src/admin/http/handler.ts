import type { ServerResponse } from 'node:http'
import type { DirectRequest } from '../../http/direct-request.ts'
import type { KnownHeaders } from '../../http/read-headers.ts'
import type { Role } from '../../scope/role.ts'
import type { Principal } from '../../scope/scope.ts'
import type { Input, OperationName, Output } from '../contract/contract.ts'

/** A request for a path for people, before anybody knows whose it is. */
export interface Visit {
  readonly req: DirectRequest
  readonly res: ServerResponse
  readonly headers: KnownHeaders
}

/** Who asks, and what they said besides what they want. */
export interface Asker {
  readonly principal: Principal
  readonly role: Role
  /** The version that an edit is about, without quotes; there wherever the operation needs it. */
  readonly match: string
  readonly visit: Visit
}

/** What answers an operation: a document, or a whole response where it is none. */
export type Handler<N extends OperationName> = (
  input: Input<N>,
  asker: Asker,
) => Promise<Output<N> | Response>

/** One for each operation; the event stream is no request with an answer. */
export type Handlers = { readonly [N in Exclude<OperationName, 'events'>]: Handler<N> }
