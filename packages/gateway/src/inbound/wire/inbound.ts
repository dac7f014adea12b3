import type { OpenResponse } from '../../admission/ledger.ts'
import type { Surface } from '../../exchange/surface.ts'
import type { DirectRequest } from '../../http/direct-request.ts'
import type { KnownHeaders } from '../../http/read-headers.ts'

/** An HTTP request that was accepted, with the surface that it addresses. */
export interface Inbound extends OpenResponse {
  readonly surface: Surface
  readonly req: DirectRequest
  readonly headers: KnownHeaders
}
