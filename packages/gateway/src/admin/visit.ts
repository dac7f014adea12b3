import type { IncomingMessage, ServerResponse } from 'node:http'
import type { KnownHeaders } from '../doors/read-headers.ts'

/** A request for a path for people, before anybody knows whose it is. */
export interface Visit {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  readonly headers: KnownHeaders
}
