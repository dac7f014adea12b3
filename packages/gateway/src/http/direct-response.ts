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

/** How long a client has to read the answer before its connection is reset, for the sake of what it still sends. */
const PARTING_MS = 1000

/**
 * A response that may be there before its request is: who is refused may still be sending. Node would read a body without
 * end for that, whoever it comes from; here it is read for a while, and the connection is not used again.
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
      // A stream would go on for ever without ever learning that its reader has left.
      if (!this.writableEnded) this.destroy()
    })
  }
}

/**
 * A connection that is closed while something unread is there is reset, and a reset makes the other side forget what it has
 * not read yet: the answer. So only our half of it is closed at first (RFC 9112, 9.6).
 */
function partSlowly(socket: Socket): void {
  socket.destroySoon = () => {
    socket.end()
    setTimeout(() => socket.destroy(), PARTING_MS).unref()
  }
}
