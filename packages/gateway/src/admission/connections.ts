import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'

/** How long a request that is on its way in at the last moment has to arrive. */
const GRACE_MS = 100

/**
 * Connections cost whoever opens them nothing. Where there are as many as there may be, a new one gets the place of the one
 * that was of no use to anybody who may be here for the longest time: strangers are not to keep out who comes anew.
 */
export class Connections {
  readonly #server: Server
  readonly #all = new Set<Socket>()
  /** Those with no request of anybody who is known, longest first. */
  readonly #outside = new Set<Socket>()
  /** Those that have asked for nothing yet. Node takes them for busy, until a timeout says otherwise. */
  readonly #fresh = new Set<Socket>()
  /** With TLS: the connection below. */
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

  /** Somebody who is known asks for something. */
  enter(socket: Socket): void {
    this.#outside.delete(this.#under(socket))
  }

  /** A request is over, whoever's it was. A stranger's connection has been outside all the time, and stays as old as it is. */
  leave(socket: Socket): void {
    const left = this.#under(socket)
    if (this.#all.has(left)) this.#outside.add(left)
  }

  /**
   * The gateway shuts down: ends those where nothing is going on, and from now on each one as soon as it has nothing more to
   * do. Returns how to stop that.
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

  /** Where everybody is at work, that is the one who came last. */
  #makeRoom(): void {
    const [oldest] = this.#outside
    if (oldest === undefined) return
    this.#forget(oldest)
    oldest.destroy()
  }

  #forget(socket: Socket): void {
    for (const set of [this.#all, this.#outside, this.#fresh]) set.delete(socket)
  }

  /** Nothing but where both come from says which connection one over TLS is made of. */
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
