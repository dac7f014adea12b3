import { EventEmitter } from 'node:events'
import type { Pool } from 'undici'
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
  unauthorized,
} from './http-failures.ts'
import { HttpPost, type PostOwner, type PostResult } from './http-post.ts'
import { joinPieces } from './join-pieces.ts'
import { loadUndici } from './load-undici.ts'
import { readEvents, type StreamPosition } from './read-events.ts'

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
  readonly #streams = new Set<EventEmitter>()
  readonly #owner: PostOwner
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
    this.#owner = {
      maxBytes: limits.messageBytes,
      onSession: session => {
        this.#session = session
      },
      onStreamOpened: ({ message: { id } }) => id !== undefined && this.#handlers?.onStream?.(id, 'opened'),
      // One piece may hold thousands of events behind the answer.
      onEvent: ({ message, isSettled }, data) => !isSettled && this.#handlers?.onMessage(data, message.id),
      onDone: (post, result) => this.#conclude(post, result),
    }
    const { Pool, buildConnector } = loadUndici()
    const connect = buildConnector({})
    this.#pool = new Pool(url.origin, {
      connect: (options, done) =>
        connect(options, (error, socket) =>
          error === null ? done(null, joinPieces(socket)) : done(error, null),
        ),
      connections: limits.connections,
      pipelining: 1,
      // Deadlines are the caller's; a stream may be silent for as long as a tool works.
      headersTimeout: 0,
      bodyTimeout: 0,
    })
  }

  async open(handlers: ChannelHandlers): Promise<void> {
    this.#handlers = handlers
    await this.#target.authority?.prepare()
  }

  send(message: Outgoing): HttpPost {
    const post = new HttpPost(message, this.#session, this.#owner)
    this.#dispatch(post)
    return post
  }

  #dispatch(post: HttpPost): void {
    const { headers: more, text: body } = post.message
    post.authorization = this.#target.authority?.authorization
    this.#pool.dispatch({ path: this.#path, method: 'POST', headers: this.#postHeaders(more), body }, post)
  }

  listen(headers: Headers): void {
    void this.#listenForever(headers)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    if (this.#session !== undefined) await this.#endSession()
    for (const abort of this.#streams) abort.emit('abort')
    await this.#pool.destroy()
  }

  /** A flat list: the form that undici has least to do with. */
  #postHeaders(more: Headers | undefined): string[] {
    const headers = [...this.#fixed]
    const authorization = this.#target.authority?.authorization
    if (authorization !== undefined) headers.push('authorization', authorization)
    if (this.#session !== undefined) headers.push('mcp-session-id', this.#session)
    for (const name in more) headers.push(name, more[name] ?? '')
    return headers
  }

  #headers(own: Headers, more: Headers = {}): Record<string, string> {
    const session = this.#session === undefined ? {} : { 'mcp-session-id': this.#session }
    const authorization = this.#target.authority?.authorization
    const credential = authorization === undefined ? {} : { authorization }
    return { ...this.#target.headers, ...credential, ...own, ...session, ...more }
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
        return void this.#resume(id, post, { position: result.position, attempt: 1 })
      case 'too-large':
        return this.#handlers?.onLost(id, tooLarge(this.#limits.messageBytes))
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
    this.#handlers?.onMessage(text, id)
    // The body is over, so nothing else can answer this request.
    if (!post.isSettled) this.#handlers?.onLost(id, OTHER_ANSWER)
  }

  /** The server closed the stream before it answered; with an event id it can be asked to go on where it stopped. */
  async #resume(id: Id, post: HttpPost, { position, attempt }: Resuming): Promise<void> {
    if (position.lastEventId === undefined || attempt > MAX_RESUMES)
      return this.#handlers?.onLost(id, STREAM_ENDED)
    this.#handlers?.onStream?.(id, 'paused')
    const abort = new EventEmitter()
    post.resuming = abort
    this.#streams.add(abort)
    try {
      await wait(position.retryMs ?? RETRY_MS, abort)
      if (post.isSettled) return
      const headers = { ...post.message.headers, 'last-event-id': position.lastEventId }
      const end = await this.#readStream(headers, abort, data => this.#handlers?.onMessage(data, id))
      if (post.isSettled) return
      if (typeof end === 'number') return this.#handlers?.onLost(id, statusFailure(end, ''))
      const isProgress = end.lastEventId !== undefined
      const next = { position: { ...position, ...end }, attempt: isProgress ? 1 : attempt + 1 }
      await this.#resume(id, post, next)
    } catch (error) {
      if (!post.isSettled) this.#handlers?.onLost(id, networkFailure(error))
    } finally {
      this.#streams.delete(abort)
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
