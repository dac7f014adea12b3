import { IncomingMessage } from 'node:http'
import { GrowingBuffer } from './growing-buffer.ts'
import { type KnownHeaders, readHeaders } from './read-headers.ts'

/** Receives a body piece by piece, then null. Returning false pauses reading. */
type Taker = (piece: Buffer | null) => boolean

const hasEnded = Object.getOwnPropertyDescriptor(
  Object.getPrototypeOf(IncomingMessage.prototype),
  'readableEnded',
)

/** A body that is announced to be no longer than this arrives with the next read or two. */
const SHORT = 64 * 1024

/**
 * Node's request without a stream for the body, which makes a call cheaper, because most bodies arrive in one piece.
 * Data that arrives early is kept in one buffer. The body can be taken only once.
 */
export class DirectRequest extends IncomingMessage {
  #taker: Taker | undefined
  /** Data that arrived before the body was taken. */
  #early: GrowingBuffer | undefined

  /** Returns the known headers, or the name of one that must not be repeated. */
  receive(): KnownHeaders | string {
    return readHeaders(this.rawHeaders)
  }

  /** True if the body has been taken or refused. */
  get isTaken(): boolean {
    return this.#taker !== undefined
  }

  /** True if the rest of the body may be too long to wait for when an answer is sent before it has arrived. */
  get isGoingOn(): boolean {
    const { 'content-length': length = 0, 'transfer-encoding': coding } = this.headers
    return this.isTaken || coding !== undefined || Number(length) > SHORT
  }

  /** Delivers the body as it arrives. */
  takeBody(taker: Taker): void {
    this.#taker = taker
    // Tells Node not to drain the body from the stream when the answer is finished.
    ;(this as { _consuming?: boolean })._consuming = true
    if (this.#early !== undefined || this.complete) this.#handOver(taker)
  }

  override push(piece: Buffer | null): boolean {
    const taker = this.#taker
    if (taker === undefined) return piece === null ? super.push(null) : this.#keep(piece)
    // The request may stay in memory after its body was read, so it must not keep the taker.
    if (piece === null) this.#taker = NOBODY
    return taker(piece)
  }

  /** Keeps early data and pauses reading until the body is taken, because the caller is not yet authenticated. */
  #keep(piece: Buffer): false {
    this.#early ??= new GrowingBuffer()
    this.#early.add(piece)
    return false
  }

  /** Delivers the early data, then the end or the rest. */
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
