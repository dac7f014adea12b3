import { IncomingMessage } from 'node:http'
import { GrowingBuffer } from './growing-buffer.ts'
import { type KnownHeaders, readHeaders } from './read-headers.ts'

/** Gets a body piece by piece, and null when it is over; false: no more of it for now. */
type Taker = (piece: Buffer | null) => boolean

const hasEnded = Object.getOwnPropertyDescriptor(
  Object.getPrototypeOf(IncomingMessage.prototype),
  'readableEnded',
)

/** A body that is announced to be as short as this comes with the next read or two. */
const SHORT = 64 * 1024

/**
 * A request as Node has it, without a stream for a body that mostly comes in one piece: what came is kept in one buffer and
 * not in thousands, and a call costs less. The body is there for who takes it, once.
 */
export class DirectRequest extends IncomingMessage {
  #taker: Taker | undefined
  /** What came before anybody wanted it. */
  #early: GrowingBuffer | undefined

  /** The headers that doors look at, or the name of one that is there twice. */
  receive(): KnownHeaders | string {
    return readHeaders(this.rawHeaders)
  }

  /** Somebody has the body, or had as much of it as they wanted. */
  get isTaken(): boolean {
    return this.#taker !== undefined
  }

  /** More of the body may come than one can wait for when the answer is there already. */
  get isGoingOn(): boolean {
    const { 'content-length': length = 0, 'transfer-encoding': coding } = this.headers
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

  static {
    Object.defineProperty(DirectRequest.prototype, 'readableEnded', {
      get(this: DirectRequest): unknown {
        return this.#taker === undefined ? hasEnded?.get?.call(this) : this.complete
      },
    })
  }
}

const NOBODY: Taker = () => true
