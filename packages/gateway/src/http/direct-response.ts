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
 * A response that may be sent before its request is complete, as refusals are. Node would then read the rest of the
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
      // Reading stops here, so a stream that is still open would never learn that its reader disconnected.
      if (!this.writableEnded) this.destroy()
    })
  }
}

/**
 * Makes the socket close in two steps. Closing it with unread data resets the connection, and the client would lose the
 * answer if it has not read it yet. So only our half is closed at first (RFC 9112, 9.6).
 */
function partSlowly(socket: Socket): void {
  socket.destroySoon = () => {
    socket.end()
    setTimeout(() => socket.destroy(), PARTING_MS).unref()
  }
}
