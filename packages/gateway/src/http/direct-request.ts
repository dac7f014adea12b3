import { type IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { GrowingBuffer } from './growing-buffer.ts'
import { type KnownHeaders, readHeaders } from './read-headers.ts'

/** Gets a body piece by piece, and null when it is over; false: no more of it for now. */
type Taker = (piece: Buffer | null) => boolean

const allHeaders = Object.getOwnPropertyDescriptor(IncomingMessage.prototype, 'headers')
const hasEnded = Object.getOwnPropertyDescriptor(
  Object.getPrototypeOf(IncomingMessage.prototype),
  'readableEnded',
)

/** A body that is announced to be as short as this comes with the next read or two. */
const SHORT = 64 * 1024

/**
 * A request as Node has it, without what a door does not need: a stream for a body that comes in one piece, and a table of
 * all headers to look two of them up in. That is a tenth of what a call costs. The body is there for who takes it, once.
 */
export class DirectRequest extends IncomingMessage {
  #taker: Taker | undefined
  #known: KnownHeaders | string | undefined
  #isReceived = false
  /** What came before anybody wanted it. */
  #early: GrowingBuffer | undefined

  /** The headers that doors look at, or the name of one that is there twice. To be called first, and once. */
  receive(): KnownHeaders | string {
    this.#isReceived = true
    return this.#read()
  }

  /** Somebody has the body, or had as much of it as they wanted. */
  get isTaken(): boolean {
    return this.#taker !== undefined
  }

  /** More of the body may come than one can wait for when the answer is there already. */
  get isGoingOn(): boolean {
    // All of them: Node answers some requests itself, before a door has them.
    const headers: IncomingHttpHeaders = allHeaders?.get?.call(this)
    const { 'content-length': length = 0, 'transfer-encoding': coding } = headers
    return this.isTaken || coding !== undefined || Number(length) > SHORT
  }

  /** Hands the body over as it comes. */
  takeBody(taker: Taker): void {
    this.#taker = taker
    // Otherwise Node would look for the rest of it in the stream when the answer is done.
    ;(this as { _consuming?: boolean })._consuming = true
    if (this.#early !== undefined || this.complete) this.#handOver(taker)
  }

  override push(piece: Buffer | null): boolean {
    const taker = this.#taker
    if (taker === undefined) return piece === null ? super.push(null) : this.#keep(piece)
    // The request may live longer than anybody is interested in its body.
    if (piece === null) this.#taker = NOBODY
    return taker(piece)
  }

  /** No more of it until somebody wants it: at the door nobody knows yet whose it is. */
  #keep(piece: Buffer): false {
    this.#early ??= new GrowingBuffer()
    this.#early.add(piece)
    return false
  }

  /** What came before, and whether that was all. */
  #handOver(taker: Taker): void {
    const early = this.#early?.bytes
    this.#early = undefined
    const mayGoOn = early === undefined || taker(early)
    if (this.complete) this.push(null)
    else if (mayGoOn) this._read(0)
  }

  #read(): KnownHeaders | string {
    this.#known ??= readHeaders(this.rawHeaders)
    return this.#known
  }

  /** Until the door has it, only Node asks: whether there is a host, and what is expected. */
  static {
    Object.defineProperties(DirectRequest.prototype, {
      headers: {
        get(this: DirectRequest): unknown {
          const known = this.#isReceived || this.httpVersion !== '1.1' ? '' : this.#read()
          return typeof known === 'string' ? allHeaders?.get?.call(this) : known
        },
      },
      readableEnded: {
        get(this: DirectRequest): unknown {
          return this.#taker === undefined ? hasEnded?.get?.call(this) : this.complete
        },
      },
    })
  }
}

const NOBODY: Taker = () => true
