import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Interval between sweeps for idle connections; a request that is just arriving has this long before its connection is
 * closed.
 */
const GRACE_MS = 100

/**
 * Limits the number of open connections, because opening them costs a client nothing. At the limit, a new connection
 * replaces the one that has gone longest without an authenticated request, so that strangers cannot keep new clients
 * out.
 */
export class Connections {
  readonly #server: Server
  readonly #all = new Set<Socket>()
  /** Connections that have no authenticated request in progress, oldest first. */
  readonly #outside = new Set<Socket>()
  /** Connections that have sent no request yet. Node counts them as busy until a timeout. */
  readonly #fresh = new Set<Socket>()
  /** With TLS, the TCP connection below each TLS connection. */
  readonly #below: WeakMap<Socket, Socket> | undefined

  constructor(server: Server, { most, isTls }: { readonly most: number; readonly isTls: boolean }) {
    this.#server = server
    server.on('connection', (socket: Socket) => this.#add(socket, most))
    server.on('request', ({ socket }: IncomingMessage) => {
      if (this.#fresh.size > 0) this.#fresh.delete(this.#under(socket))
    })
    if (!isTls) return
    this.#below = new WeakMap()
    this.#watchHandshakes(server, this.#below)
  }

  /** Called when a request on this connection has been authenticated. */
  enter(socket: Socket): void {
    this.#outside.delete(this.#under(socket))
  }

  /** Called when a request ends. A connection that never had an authenticated request keeps its place in the order. */
  leave(socket: Socket): void {
    const left = this.#under(socket)
    if (this.#all.has(left)) this.#outside.add(left)
  }

  /**
   * For shutdown: closes idle connections now, and the others as soon as they are idle. The returned function stops
   * this.
   */
  endIdle(): () => void {
    this.#server.closeIdleConnections()
    const sweep = setInterval(() => {
      this.#server.closeIdleConnections()
      for (const socket of this.#fresh) socket.destroy()
    }, GRACE_MS)
    return () => clearInterval(sweep)
  }

  #under(socket: Socket): Socket {
    return this.#below?.get(socket) ?? socket
  }

  #add(socket: Socket, most: number): void {
    for (const set of [this.#all, this.#outside, this.#fresh]) set.add(socket)
    socket.once('close', () => this.#forget(socket))
    if (this.#all.size > most) this.#makeRoom()
  }

  /**
   * Closes the oldest connection without an authenticated request. If all other connections have one, the new
   * connection itself is closed.
   */
  #makeRoom(): void {
    const [oldest] = this.#outside
    if (oldest === undefined) return
    this.#forget(oldest)
    oldest.destroy()
  }

  #forget(socket: Socket): void {
    for (const set of [this.#all, this.#outside, this.#fresh]) set.delete(socket)
  }

  /** Finds the TCP connection below each TLS connection. Only the remote address and port link the two. */
  #watchHandshakes(server: Server, below: WeakMap<Socket, Socket>): void {
    const begun = new Map<string, Socket>()
    server.on('connection', (socket: Socket) => {
      const from = placeOf(socket)
      begun.set(from, socket)
      socket.once('close', () => begun.get(from) === socket && begun.delete(from))
    })
    server.on('secureConnection', (socket: Socket) => {
      const raw = begun.get(placeOf(socket))
      if (raw !== undefined) below.set(socket, raw)
    })
  }
}

function placeOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`
}
