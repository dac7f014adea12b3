import {
  type IncomingMessage,
  type OutgoingHttpHeader,
  type OutgoingHttpHeaders,
  ServerResponse,
} from 'node:http'
import type { Socket } from 'node:net'
import { DirectRequest } from './direct-request.ts'
import { readPast } from './read-body.ts'

type Headers = OutgoingHttpHeaders | OutgoingHttpHeader[]

/** How long a client that is still sending has to read the response before its connection is reset. */
const PARTING_MS = 1000

/**
 * A response that may be sent before its request is complete, as refusals are. Node would read an endless body for
 * that; here the rest is read for a while and the connection is not reused.
 */
export class DirectResponse<
  Request extends IncomingMessage = IncomingMessage,
> extends ServerResponse<Request> {
  override writeHead(status: number, message?: string | Headers, headers?: Headers): this {
    const req: IncomingMessage = this.req
    if (!req.complete && req instanceof DirectRequest && req.isGoingOn) this.#partAfter(req)
    return super.writeHead(status, message as string, headers)
  }

  #partAfter(req: DirectRequest): void {
    this.shouldKeepAlive = false
    if (this.socket !== null) partSlowly(this.socket)
    if (req.isTaken) return
    readPast(req, () => {
      // Otherwise a stream would never learn that its reader disconnected.
      if (!this.writableEnded) this.destroy()
    })
  }
}

/**
 * Closing a socket with unread data resets the connection, and a reset discards what the client has not read yet: the
 * answer. So only our half is closed at first (RFC 9112, 9.6).
 */
function partSlowly(socket: Socket): void {
  socket.destroySoon = () => {
    socket.end()
    setTimeout(() => socket.destroy(), PARTING_MS).unref()
  }
}
