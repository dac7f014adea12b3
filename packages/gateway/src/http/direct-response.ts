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

/** A client that is still sending gets this much time to read the response. Then its connection is reset. */
const PARTING_MS = 1000

/**
 * A response that can be sent before its request is complete, as refusals are. Node would go on to read the rest of the
 * body without a limit. This class reads only a limited part, and the connection is not reused.
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
      // Reading from the socket stops here. A stream that is still open would never learn that its client disconnected.
      if (!this.writableEnded) this.destroy()
    })
  }
}

/**
 * Closes the socket in two steps. If a socket is closed while data is unread, the connection is reset, and the client
 * can lose an answer that it has not read yet. Therefore only the sending half is closed at first (RFC 9112, 9.6).
 */
function partSlowly(socket: Socket): void {
  socket.destroySoon = () => {
    socket.end()
    setTimeout(() => socket.destroy(), PARTING_MS).unref()
  }
}
