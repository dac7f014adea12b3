import { EventEmitter } from 'node:events'
import { Pool } from 'undici'
import type { Id } from '../protocol/messages.ts'
import type { Channel, ChannelHandlers, Outgoing } from './channel.ts'
import {
  isRpcError,
  networkFailure,
  OTHER_ANSWER,
  SESSION_LOST,
  STREAM_ENDED,
  statusFailure,
  tooLarge,
} from './http-failures.ts'
import { HttpPost, type PostResult } from './http-post.ts'
import { readEvents, type StreamPosition } from './read-events.ts'

export interface HttpTarget {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

export interface HttpLimits {
  readonly messageBytes: number
  readonly connections: number
}

type Headers = Readonly<Record<string, string>>

const ACCEPT = 'application/json, text/event-stream'
const RETRY_MS = 1000
const MAX_RESUMES = 5

/** Streamable HTTP: every request is a POST of its own, answered by JSON or by an event stream. */
export class HttpChannel implements Channel {
  readonly #target: HttpTarget
  readonly #limits: HttpLimits
  readonly #path: string
  readonly #pool: Pool
  readonly #fixed: readonly string[]
  /** Requests that wait for their answer, with the way to stop waiting. */
  readonly #waiting = new Map<Id, () => void>()
  readonly #streams = new Set<EventEmitter>()
  #handlers: ChannelHandlers | undefined
  /** What the server gave us at `initialize`. */
  #session: string | undefined
  #isClosed = false

  constructor(target: HttpTarget, limits: HttpLimits) {
    const url = new URL(target.url)
    this.#target = target
    this.#limits = limits
    this.#path = `${url.pathname}${url.search}`
    this.#fixed = Object.entries({
      ...target.headers,
      'content-type': 'application/json',
      accept: ACCEPT,
    }).flat()
    this.#pool = new Pool(url.origin, {
      connections: limits.connections,
      pipelining: 1,
      // Deadlines are the caller's; a stream may be silent for as long as a tool works.
      headersTimeout: 0,
      bodyTimeout: 0,
    })
  }

  async open(handlers: ChannelHandlers): Promise<void> {
    this.#handlers = handlers
  }

  send(message: Outgoing): void {
    const { id } = message
    const usedSession = this.#session
    const post: HttpPost = new HttpPost(this.#limits.messageBytes, {
      onSession: session => {
        this.#session = session
      },
      onStreamOpened: () => id !== undefined && this.#handlers?.onStream?.(id, 'opened'),
      onEvent: data => this.#handlers?.onMessage(data, id),
      onDone: result => {
        if (id !== undefined) this.#conclude(id, result, { usedSession, headers: message.headers ?? {} })
      },
    })
    if (id !== undefined) this.#waiting.set(id, () => post.abort())
    const headers = this.#postHeaders(message.headers)
    this.#pool.dispatch({ path: this.#path, method: 'POST', headers, body: message.text }, post)
  }

  settle(id: Id): void {
    this.#waiting.delete(id)
  }

  abandon(id: Id): void {
    const abort = this.#waiting.get(id)
    this.#waiting.delete(id)
    abort?.()
  }

  listen(headers: Headers): void {
    void this.#listenForever(headers)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    if (this.#session !== undefined) await this.#endSession()
    for (const abort of this.#waiting.values()) abort()
    for (const abort of this.#streams) abort.emit('abort')
    this.#waiting.clear()
    await this.#pool.destroy()
  }

  /** A flat list: the form that undici has least to do with. */
  #postHeaders(more: Headers | undefined): string[] {
    const headers = [...this.#fixed]
    if (this.#session !== undefined) headers.push('mcp-session-id', this.#session)
    for (const name in more) headers.push(name, more[name] ?? '')
    return headers
  }

  #headers(own: Headers, more: Headers = {}): Record<string, string> {
    const session = this.#session === undefined ? {} : { 'mcp-session-id': this.#session }
    return { ...this.#target.headers, ...own, ...session, ...more }
  }

  #conclude(id: Id, result: PostResult, sent: { usedSession: string | undefined; headers: Headers }): void {
    if (!this.#waiting.has(id)) return
    switch (result.kind) {
      case 'text':
        return this.#concludeText(id, result, sent.usedSession)
      case 'stream':
        return void this.#resume(id, { headers: sent.headers, position: result.position, attempt: 1 })
      case 'too-large':
        return this.#handlers?.onLost(id, tooLarge(this.#limits.messageBytes))
      case 'error':
        return this.#handlers?.onLost(id, networkFailure(result.error))
    }
  }

  #concludeText(
    id: Id,
    { status, text }: { status: number; text: string },
    usedSession: string | undefined,
  ): void {
    if (status === 404 && usedSession !== undefined && !text.includes('-32601')) {
      if (this.#session === usedSession) this.#session = undefined
      return this.#handlers?.onLost(id, SESSION_LOST)
    }
    if (status !== 200 && !isRpcError(text)) return this.#handlers?.onLost(id, statusFailure(status, text))
    this.#handlers?.onMessage(text, id)
    // The body is over, so nothing else can answer this request.
    if (this.#waiting.has(id)) this.#handlers?.onLost(id, OTHER_ANSWER)
  }

  /** The server closed the stream before it answered; with an event id it can be asked to go on where it stopped. */
  async #resume(id: Id, { headers, position, attempt }: Resuming): Promise<void> {
    if (position.lastEventId === undefined || attempt > MAX_RESUMES)
      return this.#handlers?.onLost(id, STREAM_ENDED)
    this.#handlers?.onStream?.(id, 'paused')
    const abort = new EventEmitter()
    this.#waiting.set(id, () => abort.emit('abort'))
    await wait(position.retryMs ?? RETRY_MS, abort)
    if (!this.#waiting.has(id)) return
    try {
      const end = await this.#readStream({ ...headers, 'last-event-id': position.lastEventId }, abort, data =>
        this.#handlers?.onMessage(data, id),
      )
      if (!this.#waiting.has(id)) return
      if (typeof end === 'number') return this.#handlers?.onLost(id, statusFailure(end, ''))
      const isProgress = end.lastEventId !== undefined
      await this.#resume(id, {
        headers,
        position: { ...position, ...end },
        attempt: isProgress ? 1 : attempt + 1,
      })
    } catch (error) {
      if (this.#waiting.has(id)) this.#handlers?.onLost(id, networkFailure(error))
    }
  }

  /** Listens for what belongs to no request, as long as the channel is open. */
  async #listenForever(headers: Headers): Promise<void> {
    let position: StreamPosition = {}
    while (!this.#isClosed) {
      const abort = new EventEmitter()
      this.#streams.add(abort)
      try {
        const resumed =
          position.lastEventId === undefined ? headers : { ...headers, 'last-event-id': position.lastEventId }
        const end = await this.#readStream(resumed, abort, data => this.#handlers?.onMessage(data))
        // A server without such a stream says so once; there is nothing to wait for.
        if (typeof end === 'number') return
        position = { ...position, ...end }
      } catch {
        // The next round tries again; the connection itself is judged by its requests.
      } finally {
        this.#streams.delete(abort)
      }
      await wait(position.retryMs ?? RETRY_MS, abort)
    }
  }

  /** Reads a stream to its end; gives the status instead when there is none. */
  async #readStream(
    headers: Headers,
    signal: EventEmitter,
    onData: (data: string) => void,
  ): Promise<StreamPosition | number> {
    const response = await this.#pool.request({
      path: this.#path,
      method: 'GET',
      headers: this.#headers({ accept: 'text/event-stream' }, headers),
      signal,
    })
    if (response.statusCode === 200) return readEvents(response.body, this.#limits.messageBytes, onData)
    await response.body.dump()
    return response.statusCode
  }

  async #endSession(): Promise<void> {
    try {
      const timeouts = { headersTimeout: 500, bodyTimeout: 500 }
      const response = await this.#pool.request({
        path: this.#path,
        method: 'DELETE',
        headers: this.#headers({}),
        ...timeouts,
      })
      await response.body.dump()
    } catch {
      // A server that is gone has no session to end.
    }
  }
}

interface Resuming {
  readonly headers: Headers
  readonly position: StreamPosition
  readonly attempt: number
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
