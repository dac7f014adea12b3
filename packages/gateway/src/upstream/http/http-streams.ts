import { EventEmitter } from 'node:events'
import type { Unfinished } from '../../admission/unfinished.ts'
import type { Id } from '../../protocol/messages.ts'
import type { Failure } from '../channel/channel.ts'
import { networkFailure, STREAM_ENDED, statusFailure } from './http-failures.ts'
import { HttpGet, type StreamEnd } from './http-get.ts'
import type { HttpPost } from './http-post.ts'
import type { StreamPosition } from './read-events.ts'

type Headers = Readonly<Record<string, string>>

interface StreamsOwner {
  readonly maxBytes: number
  readonly unfinished: Unfinished
  get(headers: Headers, reading: HttpGet): void
  /** Handles an event's data. Returns how long to stop reading, in milliseconds, as `chargeNoise` does. */
  receive(data: string, relatedTo?: Id): number
  chargeNoise(lines: number): number
  onPaused(id: Id): void
  onLost(id: Id, failure: Failure): void
}

const RETRY_MS = 1000
/**
 * Limits on the reconnection delay that a server asks for. With a shorter delay, the server could keep the gateway
 * busy; with a longer one, it could delay the rest of an answer for too long.
 */
const LEAST_RETRY_MS = 100
const MOST_RETRY_MS = 30_000
/** How many times in a row a stream is resumed without anything new arriving. */
const MAX_RESUMES = 5
/** How many times a stream is resumed in total. Each pause is a little longer than the one before. */
const MOST_RESUMES = 500
const LATER_MS = 10

/**
 * The event streams that the gateway requests with GET: the rest of an interrupted answer, and messages that belong to
 * no request.
 */
export class HttpStreams {
  readonly #owner: StreamsOwner
  readonly #open = new Set<EventEmitter>()
  #isClosed = false
  /**
   * Until this time (on the clock of `performance.now()`), no stream that belongs to no call is read, not even a new
   * one.
   */
  #restsUntil = 0

  constructor(owner: StreamsOwner) {
    this.#owner = owner
  }

  /** Stops reading these streams for this long. */
  rest(ms: number): void {
    if (ms > 0) this.#restsUntil = Math.max(this.#restsUntil, performance.now() + ms)
  }

  close(): void {
    this.#isClosed = true
    for (const abort of this.#open) abort.emit('abort')
  }

  /**
   * Resumes an answer whose stream closed too early. If there is an event id, the server continues after that event.
   */
  async resume(id: Id, post: HttpPost, from: StreamPosition): Promise<void> {
    const abort = new EventEmitter()
    post.resuming = abort
    this.#open.add(abort)
    const failure = await this.#repeatIfNeeded(id, { post, abort, from }).catch(networkFailure)
    this.#open.delete(abort)
    if (!post.isSettled) this.#owner.onLost(id, failure)
  }

  /** Reads the rest of an answer, with several requests if needed. Returns the failure if the answer never came. */
  async #repeatIfNeeded(id: Id, { post, abort, from }: Resuming): Promise<Failure> {
    let position = from
    let inVain = 0
    for (let resumes = 0; inVain < MAX_RESUMES && resumes < MOST_RESUMES; resumes++) {
      const { lastEventId } = position
      if (lastEventId === undefined) break
      this.#owner.onPaused(id)
      await wait(Math.max(pauseOf(position, resumes), this.#restLeft), abort)
      if (post.isSettled) break
      const headers = { ...post.message.headers, 'last-event-id': lastEventId }
      const receive = (data: string): number => (post.isSettled ? 0 : this.#owner.receive(data, id))
      const end = await this.#read(headers, abort, receive)
      if (typeof end === 'number') return statusFailure(end, '')
      if (end.error !== undefined) throw end.error
      if (post.isSettled) break
      inVain = end.lastEventId === undefined ? inVain + 1 : 0
      position = { ...position, ...end }
    }
    return STREAM_ENDED
  }

  /** Receives messages that belong to no request for as long as the channel is open. */
  async listen(headers: Headers): Promise<void> {
    let position: StreamPosition = {}
    let refusals = 0
    while (!this.#isClosed) {
      const abort = new EventEmitter()
      this.#open.add(abort)
      const { lastEventId } = position
      const resumed = lastEventId === undefined ? headers : { ...headers, 'last-event-id': lastEventId }
      // After any error, the next round tries again. Only a failed request shows that the connection is lost.
      const end = await this.#read(resumed, abort, data => this.#owner.receive(data)).catch(() => undefined)
      if (typeof end === 'number' && hasNoStream(end)) return void this.#open.delete(abort)
      refusals = typeof end === 'number' ? refusals + 1 : 0
      if (typeof end === 'object') position = { ...position, ...reachedBy(end) }
      const pauseMs = Math.min(pauseOf(position) * 2 ** refusals, MOST_RETRY_MS)
      if (!this.#isClosed) await wait(Math.max(pauseMs, this.#restLeft), abort)
      this.#open.delete(abort)
    }
  }

  /** Reads a stream to its end. Returns the HTTP status if the response is not a stream. */
  #read(
    headers: Headers,
    signal: EventEmitter,
    onData: (data: string) => number,
  ): Promise<StreamEnd | number> {
    const { maxBytes, unfinished } = this.#owner
    const questionConnections = (ms: number): number => {
      this.rest(ms)
      return ms
    }
    return new Promise((resolve, reject) => {
      const reading = new HttpGet({
        maxBytes,
        signal,
        onData: data => questionConnections(onData(data)),
        onNoise: lines => questionConnections(this.#owner.chargeNoise(lines)),
        unfinished,
        resolve,
        reject,
      })
      this.#owner.get(headers, reading)
    })
  }

  get #restLeft(): number {
    return this.#restsUntil - performance.now()
  }
}

interface Resuming {
  readonly post: HttpPost
  readonly abort: EventEmitter
  readonly from: StreamPosition
}

/** The pause before the next attempt to resume a stream. */
function pauseOf({ retryMs = RETRY_MS }: StreamPosition, times = 0): number {
  const soonest = LEAST_RETRY_MS + times * LATER_MS
  return Math.min(Math.max(retryMs, soonest), MOST_RETRY_MS)
}

/**
 * Returns true if a status means that the server has no such stream. After any other status, the next attempt may
 * succeed.
 */
function hasNoStream(status: number): boolean {
  return status >= 400 && status < 500 && !FOR_NOW.has(status)
}

/** Temporary statuses: request timeout, and too many requests. */
const FOR_NOW = new Set([408, 429])

function reachedBy({ error: _error, ...position }: StreamEnd): StreamPosition {
  return position
}

function wait(ms: number, abort: EventEmitter): Promise<void> {
  return new Promise(resolve => {
    const done = (): void => {
      clearTimeout(timer)
      abort.off('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    timer.unref()
    abort.once('abort', done)
  })
}
