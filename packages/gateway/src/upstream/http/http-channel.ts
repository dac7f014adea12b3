import { EventEmitter } from 'node:events'
import { LIMITS } from '../../admission/limits.ts'
import { Meter } from '../../admission/meter.ts'
import { connectTo } from '../../http/client/connect-to.ts'
import { WirePool } from '../../http/client/wire-pool.ts'
import { writeHeader, writeHeaders } from '../../http/client/write-request.ts'
import type { Id } from '../../protocol/messages.ts'
import { Asides, NOT_LISTENING } from '../channel/asides.ts'
import type { Channel, ChannelHandlers, Failure, Outgoing } from '../channel/channel.ts'
import {
  isRpcError,
  networkFailure,
  OTHER_ANSWER,
  SESSION_LOST,
  STREAM_ENDED,
  statusFailure,
  TOO_MUCH_AT_ONCE,
  tooLarge,
  unauthorized,
} from './http-failures.ts'
import { HttpDelete, HttpGet, type StreamEnd } from './http-get.ts'
import { HttpPost, type PostOwner, type PostResult, Unfinished } from './http-post.ts'
import type { StreamPosition } from './read-events.ts'

export interface HttpTarget {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Has a credential that changes with time. */
  readonly authority?: Authority | undefined
}

/** Who gets credentials for a server, and better ones when it refuses them. */
export interface Authority {
  readonly authorization: string | undefined
  /** What a person can do when nothing better is to be had. */
  readonly remedy: string
  prepare(): Promise<void>
  /** True when there is something better than what was refused. */
  renew(
    refused: string | undefined,
    challenge: { readonly status: number; readonly header: string | undefined },
  ): Promise<boolean>
}

export interface HttpLimits {
  readonly messageBytes: number
  /** As long as anything may be that clients send. */
  readonly bodyBytes: number
  /** For as many requests as there may be at once. */
  readonly connections: number
  /** For those besides that wait for people. */
  readonly resting: number
}

type Headers = Readonly<Record<string, string>>

const POSTED = writeHeaders({
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
})
const LISTENING = writeHeaders({ accept: 'text/event-stream' })
/** Answers of the greatest length that may be on their way at once: many calls wait, but few for so much. */
const MOST_HELD = 8
const RETRY_MS = 1000
/** What a server asks for is honoured in these bounds: it may neither keep us busy nor put us off for ever. */
const LEAST_RETRY_MS = 100
const MOST_RETRY_MS = 30_000
/** Of a stream that brings nothing new. */
const MAX_RESUMES = 5
/** Of any stream. Each is a little later than the one before. */
const MOST_RESUMES = 500
const LATER_MS = 10

/** Streamable HTTP: every request is a POST of its own, answered by JSON or by an event stream. */
export class HttpChannel implements Channel {
  readonly #target: HttpTarget
  readonly #limits: HttpLimits
  readonly #url: URL
  readonly #pool: WirePool
  /** The server decides how many answers it is to have: they take no connections from calls, and calls none from them. */
  readonly #asidePool: WirePool
  readonly #streams = new Set<EventEmitter>()
  readonly #asides: Asides
  readonly #noise = new Meter(LIMITS.talk.lines)
  readonly #owner: PostOwner
  readonly #unfinished: Unfinished
  #handlers: ChannelHandlers | undefined
  /** What every request begins with, after its method. */
  #head = ''
  /** What the server gave us at `initialize`. */
  #session: string | undefined
  #isClosed = false
  /** Until when streams that belong to no call are not read, in the time of `performance.now()`: also those opened anew. */
  #restsUntil = 0

  constructor(target: HttpTarget, limits: HttpLimits) {
    const url = new URL(target.url)
    this.#target = target
    this.#limits = limits
    this.#url = url
    this.#asides = new Asides(limits.bodyBytes)
    this.#unfinished = new Unfinished(MOST_HELD * limits.messageBytes)
    const connect = connectTo(url)
    this.#pool = new WirePool(connect, limits.connections + limits.resting)
    this.#asidePool = new WirePool(connect, limits.connections)
    this.#owner = {
      maxBytes: limits.messageBytes,
      onSession: session => {
        this.#session = session
      },
      onStreamOpened: ({ message: { id } }) => id !== undefined && this.#handlers?.onStream?.(id, 'opened'),
      // One piece may hold thousands of events behind the answer.
      onEvent: (post, data) => {
        const pauseMs = post.isSettled ? 0 : this.#hear(data, post.message.id)
        if (pauseMs > 0) post.rest(pauseMs)
      },
      onNoise: (post, lines) => {
        const pauseMs = post.isSettled ? 0 : this.#endure(lines)
        if (pauseMs > 0) post.rest(pauseMs)
      },
      onDone: (post, result) => this.#conclude(post, result),
      onSaid: ({ message }) => this.#asides.leave(message),
      unfinished: this.#unfinished,
    }
  }

  async open(handlers: ChannelHandlers): Promise<void> {
    this.#handlers = handlers
    const { pathname, search, host } = this.#url
    const fixed = { host, ...withoutOurs(this.#target.headers), connection: 'keep-alive' }
    this.#head = ` ${pathname}${search} HTTP/1.1\r\n${writeHeaders(fixed)}`
    await this.#target.authority?.prepare()
  }

  send(message: Outgoing): HttpPost | undefined {
    const sent = message.id === undefined ? this.#admit(message) : message
    if (sent === undefined) return undefined
    const post = new HttpPost(sent, this.#session, this.#owner)
    this.#dispatch(post)
    return post
  }

  #admit(message: Outgoing): Outgoing | undefined {
    if (this.#isClosed) return undefined
    const aside = this.#asides.admit(message)
    if (aside !== 'not-listening') return aside
    this.#giveUp(NOT_LISTENING)
    return undefined
  }

  #giveUp(failure: Failure): void {
    this.#handlers?.onClosed(failure)
    void this.close()
  }

  #endure(lines: number): number {
    return this.#noise.charge(lines, performance.now())
  }

  #hear(data: string, relatedTo?: Id): number {
    return this.#handlers?.onMessage(data, relatedTo) ?? 0
  }

  #dispatch(post: HttpPost): void {
    const { id, headers, text: body } = post.message
    const pool = id === undefined ? this.#asidePool : this.#pool
    post.authorization = this.#target.authority?.authorization
    try {
      pool.send({ head: this.#headOf('POST', POSTED, headers), body }, post)
    } catch (error) {
      post.onError(error as Error)
    }
  }

  listen(headers: Headers): void {
    void this.#listenForever(headers)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    for (const abort of this.#streams) abort.emit('abort')
    if (this.#session !== undefined) await this.#endSession()
    this.#pool.destroy()
    this.#asidePool.destroy()
  }

  #headOf(method: string, own: string, more: Headers | undefined): string {
    const authorization = this.#target.authority?.authorization
    let head = `${method}${this.#head}${own}`
    if (authorization !== undefined) head += writeHeader('authorization', authorization)
    if (this.#session !== undefined) head += writeHeader('mcp-session-id', this.#session)
    return more === undefined ? head : head + writeHeaders(more)
  }

  #conclude(post: HttpPost, result: PostResult): void {
    const { id } = post.message
    if (id === undefined) return
    switch (result.kind) {
      case 'text':
        return this.#isRefused(post, result)
          ? void this.#sendWithBetter(id, post, result)
          : this.#concludeText(id, post, result)
      case 'stream':
        return void this.#resume(id, post, result.position)
      case 'too-large':
        return this.#handlers?.onLost(id, tooLarge(this.#limits.messageBytes))
      case 'too-much-at-once':
        return this.#handlers?.onLost(id, TOO_MUCH_AT_ONCE)
      case 'error':
        return this.#handlers?.onLost(id, networkFailure(result.error))
    }
  }

  #isRefused(post: HttpPost, { status }: { status: number }): boolean {
    const mayRenew = this.#target.authority !== undefined && !post.isRepeated
    return mayRenew && (status === 401 || status === 403)
  }

  /** A request that was refused did nothing, so it may be sent again, whatever it was. */
  async #sendWithBetter(
    id: Id,
    post: HttpPost,
    { status, challenge: header }: Extract<PostResult, { kind: 'text' }>,
  ): Promise<void> {
    const { authority } = this.#target
    if (authority === undefined) return
    try {
      const isBetter = await authority.renew(post.authorization, { status, header })
      if (post.isSettled || this.#isClosed) return
      if (!isBetter) return this.#handlers?.onLost(id, unauthorized(authority.remedy))
      const objection = await post.message.objectTo?.()
      if (objection !== undefined) return this.#handlers?.onLost(id, objection)
      if (post.isSettled || this.#isClosed) return
      post.again()
      this.#dispatch(post)
    } catch (error) {
      this.#handlers?.onLost(id, unauthorized(error instanceof Error ? error.message : String(error)))
    }
  }

  #concludeText(id: Id, post: HttpPost, { status, text }: { status: number; text: string }): void {
    if (status === 404 && post.session !== undefined && !text.includes('-32601')) {
      if (this.#session === post.session) this.#session = undefined
      return this.#handlers?.onLost(id, SESSION_LOST)
    }
    if (status !== 200 && !isRpcError(text)) return this.#handlers?.onLost(id, statusFailure(status, text))
    // There is no more of this to be put off, but of what else the server has to say.
    this.#rest(this.#hear(text, id))
    // The body is over, so nothing else can answer this request.
    if (!post.isSettled) this.#handlers?.onLost(id, OTHER_ANSWER)
  }

  /** The server closed the stream before it answered; with an event id it can be asked to go on where it stopped. */
  async #resume(id: Id, post: HttpPost, from: StreamPosition): Promise<void> {
    const abort = new EventEmitter()
    post.resuming = abort
    this.#streams.add(abort)
    try {
      const failure = await this.#goOn(id, { post, abort, from })
      if (!post.isSettled) this.#handlers?.onLost(id, failure)
    } catch (error) {
      if (!post.isSettled) this.#handlers?.onLost(id, networkFailure(error))
    } finally {
      this.#streams.delete(abort)
    }
  }

  /** Gives why there is no answer, unless there is one. */
  async #goOn(id: Id, { post, abort, from }: Resuming): Promise<Failure> {
    let position = from
    let inVain = 0
    for (let resumes = 0; inVain < MAX_RESUMES && resumes < MOST_RESUMES; resumes++) {
      const { lastEventId } = position
      if (lastEventId === undefined) break
      this.#handlers?.onStream?.(id, 'paused')
      await wait(Math.max(pauseOf(position, resumes), this.#restLeft), abort)
      if (post.isSettled) break
      const headers = { ...post.message.headers, 'last-event-id': lastEventId }
      const end = await this.#readStream(headers, abort, data => (post.isSettled ? 0 : this.#hear(data, id)))
      if (typeof end === 'number') return statusFailure(end, '')
      if (end.error !== undefined) throw end.error
      if (post.isSettled) break
      inVain = end.lastEventId === undefined ? inVain + 1 : 0
      position = { ...position, ...end }
    }
    return STREAM_ENDED
  }

  /** Listens for what belongs to no request, as long as the channel is open. */
  async #listenForever(headers: Headers): Promise<void> {
    let position: StreamPosition = {}
    let refusals = 0
    while (!this.#isClosed) {
      const abort = new EventEmitter()
      this.#streams.add(abort)
      const { lastEventId } = position
      const resumed = lastEventId === undefined ? headers : { ...headers, 'last-event-id': lastEventId }
      // Whatever went wrong, the next round tries again; the connection itself is judged by its requests.
      const end = await this.#readStream(resumed, abort, data => this.#hear(data)).catch(() => undefined)
      if (typeof end === 'number' && hasNoStream(end)) return void this.#streams.delete(abort)
      refusals = typeof end === 'number' ? refusals + 1 : 0
      if (typeof end === 'object') position = { ...position, ...reachedBy(end) }
      const pauseMs = Math.min(pauseOf(position) * 2 ** refusals, MOST_RETRY_MS)
      if (!this.#isClosed) await wait(Math.max(pauseMs, this.#restLeft), abort)
      this.#streams.delete(abort)
    }
  }

  /** Reads a stream to its end; gives the status instead when there is none. */
  #readStream(
    headers: Headers,
    signal: EventEmitter,
    onData: (data: string) => number,
  ): Promise<StreamEnd | number> {
    return new Promise((resolve, reject) => {
      const reading = {
        maxBytes: this.#limits.messageBytes,
        signal,
        onData: (data: string): number => this.#rest(onData(data)),
        onNoise: (lines: number): number => this.#rest(this.#endure(lines)),
        unfinished: this.#unfinished,
        resolve,
        reject,
      }
      this.#pool.send({ head: this.#headOf('GET', LISTENING, headers) }, new HttpGet(reading))
    })
  }

  get #restLeft(): number {
    return this.#restsUntil - performance.now()
  }

  #rest(ms: number): number {
    if (ms > 0) this.#restsUntil = Math.max(this.#restsUntil, performance.now() + ms)
    return ms
  }

  #endSession(): Promise<void> {
    return new Promise(resolve => {
      this.#pool.send({ head: this.#headOf('DELETE', '', undefined) }, new HttpDelete(resolve))
    })
  }
}

interface Resuming {
  readonly post: HttpPost
  readonly abort: EventEmitter
  readonly from: StreamPosition
}

/** When to come back to a stream that was broken off, so many times already. */
function pauseOf({ retryMs = RETRY_MS }: StreamPosition, times = 0): number {
  const soonest = LEAST_RETRY_MS + times * LATER_MS
  return Math.min(Math.max(retryMs, soonest), MOST_RETRY_MS)
}

/** A server without such a stream says so once; whatever else it answers may be otherwise the next time. */
function hasNoStream(status: number): boolean {
  return status >= 400 && status < 500 && !FOR_NOW.has(status)
}

/** It took too long, or there were too many. */
const FOR_NOW = new Set([408, 429])

function reachedBy({ error: _error, ...position }: StreamEnd): StreamPosition {
  return position
}

/** Said twice, they would be read by each as it likes. */
const OURS = new Set([
  'accept',
  'connection',
  'content-length',
  'content-type',
  'mcp-session-id',
  'transfer-encoding',
])

function withoutOurs(headers: Headers): Headers {
  const named = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const)
  return Object.fromEntries(named.filter(([name]) => !OURS.has(name)))
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
