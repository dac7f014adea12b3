import type { DirectRequest } from './direct-request.ts'
import type { OpenResponse } from './open-responses.ts'
import type { KnownHeaders } from './read-headers.ts'
import type { Surface } from './surface.ts'

/** A request over HTTP that may come in, and what it wants to talk to. */
export interface Inbound extends OpenResponse {
  readonly surface: Surface
  readonly req: DirectRequest
  readonly headers: KnownHeaders
}
