import type { EventEmitter } from 'node:events'
import type { Holder, Unfinished } from '../../admission/unfinished.ts'
import type { Exchange, Line, ResponseHead } from '../../http/client/exchange.ts'
import { createEventReader, type EventReader, type StreamPosition } from './read-events.ts'

/** How far a stream got, and what broke it off where it did not just end. */
export interface StreamEnd extends StreamPosition {
  readonly error?: Error
}

interface Reading {
  readonly maxBytes: number
  /** Its `abort` ends the reading. */
  readonly signal: EventEmitter
  /** Gives for how many milliseconds nothing more is to be read. */
  onData(data: string): number
  /** The same for lines that bring nothing. */
  onNoise(lines: number): number
  /** Of events that are not whole yet. */
  readonly unfinished: Unfinished
  /** How far it got, or the status instead where there is no stream. */
  resolve(end: StreamEnd | number): void
  reject(error: Error): void
}

/** A GET for an event stream, which is read to its end. */
export class HttpGet implements Exchange, Holder {
  readonly #reading: Reading
  readonly #onAbort = (): void => this.#line?.abort(this, NOT_WANTED)
  #line: Line | undefined
  #reader: EventReader | undefined
  /** What of an event is kept until there is more. */
  held = 0
  #hasLeft = false

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
      this.#leave().resolve(status)
      this.#line?.abort(this, NOT_WANTED)
    }
  }

  onBody(piece: Buffer): void {
    if (this.#reader === undefined) return
    this.#reader.feed(piece)
    // What was in it may have ended the reading.
    if (this.#hasLeft) return
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
    const reading = this.#leave()
    if (this.#reader !== undefined) reading.resolve(this.#reader.position)
  }

  onError(error: Error): void {
    const reading = this.#leave()
    if (this.#reader === undefined) reading.reject(error)
    else reading.resolve({ ...this.#reader.position, error })
  }

  #leave(): Reading {
    this.#reading.signal.off('abort', this.#onAbort)
    const { held } = this
    this.held = 0
    this.#reading.unfinished.hold(this, -held)
    this.#hasLeft = true
    return this.#reading
  }
}

const NOT_WANTED = new Error('no longer wanted')
const TOO_MUCH = new Error('too much of events that do not end')

const PATIENCE_MS = 500

/** A DELETE, of which nobody wants to know more than that it is over. */
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

  /** The answer is of no interest, and may be long. */
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
