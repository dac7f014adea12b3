import type { ServerResponse } from 'node:http'
import type { DirectRequest } from '../../http/direct-request.ts'
import type { KnownHeaders } from '../../http/read-headers.ts'

/** A request for a path for people, before anybody knows whose it is. */
export interface Visit {
  readonly req: DirectRequest
  readonly res: ServerResponse
  readonly headers: KnownHeaders
}
