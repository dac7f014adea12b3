import type { IncomingMessage } from 'node:http'
import type { OpenResponse } from './open-responses.ts'
import type { KnownHeaders } from './read-headers.ts'

/** A request over HTTP that may come in, and what it wants to talk to. */
export interface Inbound extends OpenResponse {
  readonly req: IncomingMessage
  readonly headers: KnownHeaders
}
