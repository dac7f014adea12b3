import type { EventEmitter } from 'node:events'
import type { Holder, Unfinished } from '../../admission/unfinished.ts'
import type { Exchange, Line, ResponseHead } from '../../http/client/exchange.ts'
import { createEventReader, type EventReader, type StreamPosition } from './read-events.ts'

/** The position at which reading a stream ended, and the error that interrupted it, if any. */
export interface StreamEnd extends StreamPosition {
  readonly error?: Error
}

interface Reading {
  readonly maxBytes: number
  /** The event `abort` stops the reading. */
  readonly signal: EventEmitter
  /** Handles an event's data. Returns how long to stop reading, in milliseconds. */
  onData(data: string): number
  /** Handles lines that contain no data. Returns how long to stop reading, in milliseconds. */
  onNoise(lines: number): number
  /** The memory budget for unfinished events. */
  readonly unfinished: Unfinished
  /** Called with the position that was reached, or with the HTTP status if the response is not a stream. */
  resolve(end: StreamEnd | number): void
  reject(error: Error): void
}

export class HttpGet implements Exchange, Holder {
  readonly #reading: Reading
  readonly #onAbort = (): void => this.#line?.abort(this, NOT_WANTED)
  #line: Line | undefined
  #reader: EventReader | undefined
  /** Bytes of an unfinished event in memory. */
  held = 0
  #isOver = false

  constructor(reading: Reading) {
    this.#reading = reading
    reading.signal.once('abort', this.#onAbort)
  }

  onLine(line: Line): void {
    this.#line = line
  }

  onHead({ status }: ResponseHead): void {
    if (status === 200) this.#reader = this.#read()
    else {
      this.#finish().resolve(status)
      this.#line?.abort(this, NOT_WANTED)
    }
  }

  onBody(piece: Buffer): void {
    if (this.#reader === undefined) return
    this.#reader.feed(piece)
    // An event in this chunk may have ended the reading.
    if (this.#isOver) return
    const more = this.#reader.unfinished - this.held
    this.held += more
    if (!this.#reading.unfinished.hold(this, more)) this.giveUp()
  }

  giveUp(): void {
    this.#line?.abort(this, TOO_MUCH)
  }

  #read(): EventReader {
    const reading = this.#reading
    return createEventReader(
      reading.maxBytes,
      data => this.#rest(reading.onData(data)),
      lines => this.#rest(reading.onNoise(lines)),
    )
  }

  #rest(ms: number): void {
    if (ms > 0) this.#line?.rest(this, ms)
  }

  onEnd(): void {
    const reading = this.#finish()
    if (this.#reader !== undefined) reading.resolve(this.#reader.position)
  }

  onError(error: Error): void {
    const reading = this.#finish()
    if (this.#reader === undefined) reading.reject(error)
    else reading.resolve({ ...this.#reader.position, error })
  }

  #finish(): Reading {
    this.#reading.signal.off('abort', this.#onAbort)
    const { held } = this
    this.held = 0
    this.#reading.unfinished.hold(this, -held)
    this.#isOver = true
    return this.#reading
  }
}

const NOT_WANTED = new Error('no longer wanted')
const TOO_MUCH = new Error('the unfinished events take too many bytes')

const PATIENCE_MS = 500

/** A DELETE request. Its answer is ignored. */
export class HttpDelete implements Exchange {
  readonly #onOver: () => void
  readonly #deadline: NodeJS.Timeout
  #line: Line | undefined

  constructor(onOver: () => void) {
    this.#onOver = onOver
    this.#deadline = setTimeout(() => this.#line?.abort(this, new Error('too late')), PATIENCE_MS)
  }

  onLine(line: Line): void {
    this.#line = line
  }

  /** Closes the connection without reading the answer, which is not needed and could be long. */
  onHead(): void {
    this.#line?.abort(this, new Error('no longer wanted'))
  }

  onBody(): void {}

  onEnd(): void {
    this.onError()
  }

  onError(): void {
    clearTimeout(this.#deadline)
    this.#onOver()
  }
}
