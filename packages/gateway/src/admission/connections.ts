import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'

/** How long a request that is arriving at the last moment may still take. */
const GRACE_MS = 100

/**
 * Limits the open connections, which cost a client nothing to open. At the limit a new connection replaces the one that
 * has gone longest without an authenticated request, so that strangers cannot keep new clients out.
 */
export class Connections {
  readonly #server: Server
  readonly #all = new Set<Socket>()
  /** Connections without an authenticated request, the oldest first. */
  readonly #outside = new Set<Socket>()
  /** Connections that have sent no request yet. Node counts them as busy until a timeout. */
  readonly #fresh = new Set<Socket>()
  /** With TLS: the underlying connection. */
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

  /** An authenticated caller sends a request. */
  enter(socket: Socket): void {
    this.#outside.delete(this.#under(socket))
  }

  /** Called when a request ends. A connection that was never authenticated keeps its age. */
  leave(socket: Socket): void {
    const left = this.#under(socket)
    if (this.#all.has(left)) this.#outside.add(left)
  }

  /** For shutdown: closes idle connections now, and every other one as soon as it is idle. Returns a function that stops this. */
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

  /** When all connections have requests, this is the newest one. */
  #makeRoom(): void {
    const [oldest] = this.#outside
    if (oldest === undefined) return
    this.#forget(oldest)
    oldest.destroy()
  }

  #forget(socket: Socket): void {
    for (const set of [this.#all, this.#outside, this.#fresh]) set.delete(socket)
  }

  /** Only the remote address and port link a TLS connection to the socket below it. */
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
