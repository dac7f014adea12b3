import { IncomingMessage } from 'node:http'
import { type KnownHeaders, readHeaders } from './read-headers.ts'

/** Gets a body piece by piece, and null when it is over; false: no more of it for now. */
type Taker = (piece: Buffer | null) => boolean

const allHeaders = Object.getOwnPropertyDescriptor(IncomingMessage.prototype, 'headers')
const hasEnded = Object.getOwnPropertyDescriptor(
  Object.getPrototypeOf(IncomingMessage.prototype),
  'readableEnded',
)

/**
 * A request as Node has it, without what a door does not need: a stream for a body that comes in one piece, and a table of
 * all headers to look two of them up in. That is a tenth of what a call costs. Everybody else finds the usual one.
 */
export class DirectRequest extends IncomingMessage {
  #taker: Taker | undefined
  #known: KnownHeaders | string | undefined
  #isReceived = false
  #isStreamed = false

  /** The headers that doors look at, or the name of one that is there twice. To be called first, and once. */
  receive(): KnownHeaders | string {
    this.#isReceived = true
    return this.#read()
  }

  /** Hands the body over as it comes. */
  takeBody(taker: Taker): void {
    if (this.#isStreamed) return this.#readStream(taker)
    this.#taker = taker
    // Otherwise Node would look for the rest of it in the stream when the answer is done.
    ;(this as { _consuming?: boolean })._consuming = true
  }

  override push(piece: Buffer | null, encoding?: BufferEncoding): boolean {
    const taker = this.#taker
    if (taker === undefined) {
      this.#isStreamed = true
      return super.push(piece, encoding)
    }
    // The request may live longer than anybody is interested in its body.
    if (piece === null) this.#taker = NOBODY
    return taker(piece)
  }

  /** Some of it came before anybody wanted it. */
  #readStream(taker: Taker): void {
    this.on('data', (piece: Buffer) => {
      if (!taker(piece)) this.pause()
    })
    this.on('end', () => taker(null))
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
