import { LIMITS } from '../../admission/limits.ts'
import { Meter } from '../../admission/meter.ts'
import { Unfinished } from '../../admission/unfinished.ts'
import { connectTo } from '../../http/client/connect-to.ts'
import { WirePool } from '../../http/client/wire-pool.ts'
import { writeHeader, writeHeaders } from '../../http/client/write-request.ts'
import type { Id } from '../../protocol/messages.ts'
import type { Channel, ChannelHandlers, Failure, Outgoing } from '../channel/channel.ts'
import { ANSWERS_UNREAD, OneWayMessages } from '../channel/one-way-messages.ts'
import { isRpcError, OTHER_ANSWER, postFailure, SESSION_LOST, statusFailure } from './http-failures.ts'
import { HttpDelete } from './http-get.ts'
import { HttpPost, type PostOwner, type PostResult, type PostText } from './http-post.ts'
import { HttpStreams } from './http-streams.ts'
import { type HttpLimits, type HttpTarget, withoutReserved } from './http-target.ts'
import { refusedToken } from './refused-token.ts'

type Headers = Readonly<Record<string, string>>

const POSTED = writeHeaders({
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
})
const LISTENING = writeHeaders({ accept: 'text/event-stream' })
/** How many unfinished answers of maximum length can be in memory. Few calls wait for such long answers. */
const MOST_HELD = 8

/** The Streamable HTTP transport. Every request is a separate POST, answered with JSON or with an event stream. */
export class HttpChannel implements Channel {
  readonly #target: HttpTarget
  readonly #limits: HttpLimits
  readonly #url: URL
  readonly #pool: WirePool
  /**
   * Separate connections for one-way messages. The server decides how many answers it asks for, so answers and calls
   * must not compete for connections.
   */
  readonly #oneWayPool: WirePool
  readonly #streams: HttpStreams
  readonly #oneWay: OneWayMessages
  readonly #noise = new Meter(LIMITS.talk.lines)
  readonly #owner: PostOwner
  #handlers: ChannelHandlers | undefined
  /** The part of the request head that follows the method and is the same for all requests. */
  #head = ''
  /** The session id that the server assigned in `initialize`. */
  #session: string | undefined
  #isClosed = false

  constructor(target: HttpTarget, limits: HttpLimits) {
    const url = new URL(target.url)
    this.#target = target
    this.#limits = limits
    this.#url = url
    this.#oneWay = new OneWayMessages(limits.bodyBytes)
    const unfinished = new Unfinished(MOST_HELD * limits.messageBytes)
    const connect = connectTo(url)
    this.#pool = new WirePool(connect, limits.connections + limits.questionConnections)
    this.#oneWayPool = new WirePool(connect, limits.connections)
    this.#owner = {
      maxBytes: limits.messageBytes,
      onSession: session => {
        this.#session = session
      },
      onStreamOpened: ({ message: { id } }) => id !== undefined && this.#handlers?.onStream?.(id, 'opened'),
      // Events that follow the answer are ignored. There can be thousands in one chunk.
      onEvent: (post, data) => {
        const pauseMs = post.isSettled ? 0 : this.#deliver(data, post.message.id)
        if (pauseMs > 0) post.rest(pauseMs)
      },
      onNoise: (post, lines) => {
        const pauseMs = post.isSettled ? 0 : this.#chargeNoise(lines)
        if (pauseMs > 0) post.rest(pauseMs)
      },
      onDone: (post, result) => this.#conclude(post, result),
      onOneWayDone: ({ message }) => this.#oneWay.release(message),
      unfinished,
    }
    this.#streams = new HttpStreams({
      maxBytes: limits.messageBytes,
      unfinished,
      get: (headers, reading) => this.#pool.send({ head: this.#headOf('GET', LISTENING, headers) }, reading),
      receive: (data, relatedTo) => this.#deliver(data, relatedTo),
      chargeNoise: lines => this.#chargeNoise(lines),
      onPaused: id => this.#handlers?.onStream?.(id, 'paused'),
      onLost: (id, failure) => this.#handlers?.onLost(id, failure),
    })
  }

  async open(handlers: ChannelHandlers): Promise<void> {
    this.#handlers = handlers
    const { pathname, search, host } = this.#url
    const fixed = { host, ...withoutReserved(this.#target.headers), connection: 'keep-alive' }
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
    const admitted = this.#oneWay.admit(message)
    if (admitted !== 'unread') return admitted
    this.#giveUp(ANSWERS_UNREAD)
    return undefined
  }

  #giveUp(failure: Failure): void {
    this.#handlers?.onClosed(failure)
    void this.close()
  }

  #chargeNoise(lines: number): number {
    return this.#noise.charge(lines, performance.now())
  }

  #deliver(data: string, relatedTo?: Id): number {
    return this.#handlers?.onMessage(data, relatedTo) ?? 0
  }

  #dispatch(post: HttpPost): void {
    const { id, headers, text: body } = post.message
    const pool = id === undefined ? this.#oneWayPool : this.#pool
    post.authorization = this.#target.authority?.authorization
    try {
      pool.send({ head: this.#headOf('POST', POSTED, headers), body }, post)
    } catch (error) {
      post.onError(error as Error)
    }
  }

  listen(headers: Headers): void {
    void this.#streams.listen(headers)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#streams.close()
    if (this.#session !== undefined) await this.#endSession()
    this.#pool.destroy()
    this.#oneWayPool.destroy()
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
    if (result.kind === 'text') this.#concludeText(id, post, result)
    else if (result.kind === 'stream') void this.#streams.resume(id, post, result.position)
    else this.#handlers?.onLost(id, postFailure(result, this.#limits.messageBytes))
  }

  #concludeText(id: Id, post: HttpPost, result: PostText): void {
    if (result.status !== 200) {
      const failure = this.#readFailure(post, result)
      if (failure !== undefined) return this.#handlers?.onLost(id, failure)
    }
    // This body is complete, so a pause affects only other streams from this server.
    const pauseMs = this.#deliver(result.text, id)
    if (pauseMs > 0) this.#streams.rest(pauseMs)
    // The body is complete, so no answer can come any more.
    if (!post.isSettled) this.#handlers?.onLost(id, OTHER_ANSWER)
  }

  /** Returns undefined if the body is a JSON-RPC answer, whatever its HTTP status. */
  #readFailure({ session, authorization }: HttpPost, result: PostText): Failure | undefined {
    const { status, text } = result
    const { authority } = this.#target
    if (authority !== undefined && (status === 401 || status === 403))
      return refusedToken(authority, authorization, result)
    if (status !== 404 || session === undefined || text.includes('-32601'))
      return isRpcError(text) ? undefined : statusFailure(status, text)
    if (this.#session === session) this.#session = undefined
    return SESSION_LOST
  }

  #endSession(): Promise<void> {
    return new Promise(resolve => {
      this.#pool.send({ head: this.#headOf('DELETE', '', undefined) }, new HttpDelete(resolve))
    })
  }
}
