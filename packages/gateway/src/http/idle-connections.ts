import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'

/** How long a request that is on its way in at the last moment has to arrive. */
const GRACE_MS = 100

/** Connections where nothing is going on; when the gateway shuts down, nobody need wait for them. */
export class IdleConnections {
  readonly #server: Server
  /** Those that have asked for nothing yet. Node takes them for busy, until a timeout says otherwise. */
  readonly #fresh = new Set<Socket>()

  constructor(server: Server, isTls: boolean) {
    this.#server = server
    server.on(isTls ? 'secureConnection' : 'connection', (socket: Socket) => {
      this.#fresh.add(socket)
      socket.once('close', () => this.#fresh.delete(socket))
    })
    server.on('request', ({ socket }: IncomingMessage) => {
      if (this.#fresh.size > 0) this.#fresh.delete(socket)
    })
  }

  /** Ends them, and from now on each one as soon as it has nothing more to do; returns how to stop that. */
  end(): () => void {
    this.#server.closeIdleConnections()
    const sweep = setInterval(() => {
      this.#server.closeIdleConnections()
      for (const socket of this.#fresh) socket.destroy()
    }, GRACE_MS)
    return () => clearInterval(sweep)
  }
}
