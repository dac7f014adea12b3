import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Connections cost whoever opens them nothing. Where there are as many as there may be, a new one gets the place of the one
 * that was of no use to anybody who may be here for the longest time: strangers are not to keep out who comes anew.
 */
export class Crowd {
  readonly #all = new Set<Socket>()
  /** Those with no request of anybody who is known, longest first. */
  readonly #outside = new Set<Socket>()
  /** With TLS: the connection below. */
  readonly #below: WeakMap<Socket, Socket> | undefined

  constructor(server: Server, { most, isTls }: { readonly most: number; readonly isTls: boolean }) {
    server.on('connection', (socket: Socket) => this.#add(socket, most))
    if (!isTls) return
    this.#below = new WeakMap()
    this.#watchHandshakes(server, this.#below)
  }

  /** Somebody who is known asks for something. */
  enter(socket: Socket): void {
    this.#outside.delete(this.#below?.get(socket) ?? socket)
  }

  /** A request is over, whoever's it was. A stranger's connection has been outside all the time, and stays as old as it is. */
  leave(socket: Socket): void {
    const left = this.#below?.get(socket) ?? socket
    if (this.#all.has(left)) this.#outside.add(left)
  }

  #add(socket: Socket, most: number): void {
    this.#all.add(socket)
    this.#outside.add(socket)
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
    this.#all.delete(socket)
    this.#outside.delete(socket)
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
