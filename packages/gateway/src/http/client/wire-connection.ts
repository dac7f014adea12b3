import type { Socket } from 'node:net'
import type { Opened } from './connect-to.ts'
import type { Exchange, Line, ResponseHead, WireRequest } from './exchange.ts'
import { ResponseReader, type ResponseSink, USUAL_KEEP_MS } from './read-response.ts'
import { writeRequest } from './write-request.ts'

/** The pool that owns the connections. */
export interface ConnectionOwner {
  /** Called when the connection is idle and can be reused. */
  onIdle(connection: WireConnection): void
  onGone(connection: WireConnection): void
}

/** One connection to a server. It carries one exchange at a time, and closes if the server sends unexpected data. */
export class WireConnection implements Line, ResponseSink {
  /** The time after which the server might close the connection. */
  usableUntil = performance.now() + USUAL_KEEP_MS
  readonly #socket: Socket
  readonly #owner: ConnectionOwner
  #exchange: Exchange | undefined
  readonly #reader = new ResponseReader(this)
  #error: Error | undefined
  #isGone = false
  #resting: NodeJS.Timeout | undefined
  #restsUntil = 0

  constructor(opened: Opened, owner: ConnectionOwner) {
    const { socket } = opened
    this.#socket = socket
    this.#owner = owner
    opened.onPieces(piece => this.#receive(piece))
    socket.on('end', () => this.#onEnd())
    socket.on('error', error => {
      this.#error = error
    })
    socket.on('close', () => this.#fail(this.#error ?? CLOSED_BY_SERVER))
  }

  start(request: WireRequest, exchange: Exchange): void {
    this.#exchange = exchange
    this.#reader.restart()
    exchange.onLine(this)
    writeRequest(this.#socket, request)
  }

  abort(exchange: Exchange, error: Error): void {
    if (this.#exchange === exchange) this.#fail(error)
  }

  rest(exchange: Exchange, ms: number): void {
    const until = performance.now() + ms
    // A longer pause that has already begun must not end early.
    if (this.#exchange !== exchange || until <= this.#restsUntil) return
    this.#restsUntil = until
    clearTimeout(this.#resting)
    this.#socket.pause()
    this.#resting = setTimeout(() => this.#socket.resume(), ms).unref()
  }

  close(): void {
    this.#fail(CLOSED_BY_SERVER)
  }

  onHead(head: ResponseHead): void {
    this.#exchange?.onHead(head)
  }

  onBody(piece: Buffer): void {
    this.#exchange?.onBody(piece)
  }

  #receive(piece: Buffer): void {
    // Data that was not requested must not be taken for the next response.
    if (this.#exchange === undefined) return this.#fail(UNREQUESTED)
    try {
      const used = this.#reader.feed(piece)
      if (this.#reader.isDone) this.#finish(used === piece.length)
    } catch (error) {
      this.#fail(error instanceof Error ? error : new Error(String(error)))
    }
  }

  #onEnd(): void {
    if (this.#exchange !== undefined && this.#reader.end()) this.#finish(false)
    else this.#fail(this.#error ?? CLOSED_BY_SERVER)
  }

  #finish(isClean: boolean): void {
    const exchange = this.#exchange
    const keepMs = this.#reader.keepMs
    if (exchange === undefined) return
    this.#exchange = undefined
    // The connection is not reused if the server answered before it read the whole request, because it might never read
    // the rest. Nor is it reused while paused, because it might hold unexpected data.
    if (isClean && keepMs !== undefined && this.#socket.writableLength === 0 && !this.#socket.isPaused()) {
      this.usableUntil = performance.now() + keepMs
      this.#owner.onIdle(this)
    } else this.#fail(CLOSED_BY_SERVER)
    try {
      exchange.onEnd()
    } catch (error) {
      exchange.onError(error instanceof Error ? error : new Error(String(error)))
    }
  }

  #fail(error: Error): void {
    if (this.#isGone) return
    this.#isGone = true
    clearTimeout(this.#resting)
    const exchange = this.#exchange
    this.#exchange = undefined
    this.#socket.destroy()
    this.#owner.onGone(this)
    exchange?.onError(error)
  }
}

const CLOSED_BY_SERVER = new Error('the server closed the connection')

const UNREQUESTED = new Error('the server sent unrequested data')
