import { IncomingMessage } from 'node:http'
import { GrowingBuffer } from './growing-buffer.ts'
import { type KnownHeaders, readHeaders } from './read-headers.ts'

/** Receives a body piece by piece; null marks the end. Returning false pauses reading. */
type Taker = (piece: Buffer | null) => boolean

const hasEnded = Object.getOwnPropertyDescriptor(
  Object.getPrototypeOf(IncomingMessage.prototype),
  'readableEnded',
)

/** A body with a content-length up to this arrives within one or two reads, so waiting for it is cheap. */
const SHORT = 64 * 1024

/**
 * Node's request, but without a stream for the body. That makes a call cheaper, because most bodies arrive in one
 * piece. Data that arrives before the body is taken is kept in one buffer. The body can be taken only once.
 */
export class DirectRequest extends IncomingMessage {
  #taker: Taker | undefined
  /** The data that arrived before the body was taken. */
  #early: GrowingBuffer | undefined

  /** Returns the known headers, or the name of a header that is repeated although it must not be. */
  receive(): KnownHeaders | string {
    return readHeaders(this.rawHeaders)
  }

  /** True if the body has been taken or refused. */
  get isTaken(): boolean {
    return this.#taker !== undefined
  }

  /**
   * True if the body has not fully arrived and its rest might be too long to wait for. This matters when an answer is
   * sent early.
   */
  get isGoingOn(): boolean {
    const { 'content-length': length = 0, 'transfer-encoding': coding } = this.headers
    return this.isTaken || coding !== undefined || Number(length) > SHORT
  }

  /** Delivers the body as it arrives. */
  takeBody(taker: Taker): void {
    this.#taker = taker
    // Tells Node that the body is already being consumed, so that it does not drain the stream when the answer is
    // finished.
    ;(this as { _consuming?: boolean })._consuming = true
    if (this.#early !== undefined || this.complete) this.#handOver(taker)
  }

  override push(piece: Buffer | null): boolean {
    const taker = this.#taker
    if (taker === undefined) return piece === null ? super.push(null) : this.#keep(piece)
    // The request can stay in memory long after its body was read, so it must not hold on to the taker.
    if (piece === null) this.#taker = NOBODY
    return taker(piece)
  }

  /** Keeps data that arrives early, and pauses reading until the body is taken: the caller is not yet authenticated. */
  #keep(piece: Buffer): false {
    this.#early ??= new GrowingBuffer()
    this.#early.add(piece)
    return false
  }

  /** Delivers the data that arrived early, then the end of the body or whatever is still to come. */
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
