import { IncomingMessage } from 'node:http'
import { GrowingBuffer } from './growing-buffer.ts'
import { type KnownHeaders, readHeaders } from './read-headers.ts'

/** Gets a body piece by piece, and null at the end. Returning false pauses it. */
type Taker = (piece: Buffer | null) => boolean

const hasEnded = Object.getOwnPropertyDescriptor(
  Object.getPrototypeOf(IncomingMessage.prototype),
  'readableEnded',
)

/** A body announced to be this short arrives with the next read or two. */
const SHORT = 64 * 1024

/**
 * Node's request without a stream for the body, which usually arrives in one piece: early data is kept in one buffer
 * instead of thousands, which makes a call cheaper. The body can be taken once.
 */
export class DirectRequest extends IncomingMessage {
  #taker: Taker | undefined
  /** Data that arrived before the body was taken. */
  #early: GrowingBuffer | undefined

  /** The known headers, or the name of one that is repeated. */
  receive(): KnownHeaders | string {
    return readHeaders(this.rawHeaders)
  }

  /** The body was taken or refused. */
  get isTaken(): boolean {
    return this.#taker !== undefined
  }

  /** The rest of the body may be too long to wait for when the answer is sent early. */
  get isGoingOn(): boolean {
    const { 'content-length': length = 0, 'transfer-encoding': coding } = this.headers
    return this.isTaken || coding !== undefined || Number(length) > SHORT
  }

  /** Delivers the body as it arrives. */
  takeBody(taker: Taker): void {
    this.#taker = taker
    // Otherwise Node would look for the rest in the stream when the answer is finished.
    ;(this as { _consuming?: boolean })._consuming = true
    if (this.#early !== undefined || this.complete) this.#handOver(taker)
  }

  override push(piece: Buffer | null): boolean {
    const taker = this.#taker
    if (taker === undefined) return piece === null ? super.push(null) : this.#keep(piece)
    // The request may outlive the interest in its body.
    if (piece === null) this.#taker = NOBODY
    return taker(piece)
  }

  /** Pauses reading until the body is taken, because the caller is not yet authenticated. */
  #keep(piece: Buffer): false {
    this.#early ??= new GrowingBuffer()
    this.#early.add(piece)
    return false
  }

  /** The early data, and whether that was all. */
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
