import type { EventEmitter } from 'node:events'
import type { Holder, Unfinished } from '../../admission/unfinished.ts'
import { Pieces } from '../../base/pieces.ts'
import type { Exchange, Line, ResponseHead } from '../../http/client/exchange.ts'
import type { Outgoing, RequestStream } from '../channel/channel.ts'
import { ONE_WAY_MS } from '../channel/one-way-messages.ts'
import { createEventReader, type EventReader, type StreamPosition } from './read-events.ts'

export type PostResult =
  | PostText
  | { readonly kind: 'stream'; readonly position: StreamPosition }
  | PostFailure

export interface PostText {
  readonly kind: 'text'
  readonly status: number
  readonly text: string
  /** The server's authentication challenge, if it refused access. */
  readonly challenge: string | undefined
}

export type PostFailure =
  | { readonly kind: 'too-large' | 'too-much-at-once' }
  | { readonly kind: 'error'; readonly error: Error }

/** Handles the results of posts. All posts share one owner, so a post needs no functions of its own. */
export interface PostOwner {
  readonly maxBytes: number
  onSession(session: string): void
  onStreamOpened(post: HttpPost): void
  onEvent(post: HttpPost, data: string): void
  /** Called for lines without data in a post's stream. */
  onNoise(post: HttpPost, lines: number): void
  /** Called with the outcome, unless the caller no longer waits. */
  onDone(post: HttpPost, result: PostResult): void
  /** Called when a one-way message is done. */
  onOneWayDone(post: HttpPost): void
  /** The memory budget for unfinished answers. */
  readonly unfinished: Unfinished
}

/** One POST and its outcome. A one-way message has no outcome: the server's response is ignored. */
export class HttpPost implements Exchange, RequestStream, Holder {
  readonly message: Outgoing
  readonly session: string | undefined
  isSettled: boolean
  /** The credential that was sent with the request, if it is one that can be renewed. */
  authorization: string | undefined
  /** Set while a broken stream is being resumed. */
  resuming: EventEmitter | undefined
  readonly #owner: PostOwner
  readonly #body = new Pieces()
  #line: Line | undefined
  #reader: EventReader | undefined
  #status = 0
  /** Bytes of an unfinished answer in memory. */
  held = 0
  #afterwards = 0
  #challenge: string | undefined
  #isOver = false
  /** Closes the connection if the rest of a response takes too long after its answer was received. */
  #deadline: NodeJS.Timeout | undefined

  constructor(message: Outgoing, session: string | undefined, owner: PostOwner) {
    this.message = message
    this.session = session
    this.#owner = owner
    this.isSettled = message.id === undefined
    if (this.isSettled) this.#hangUpIn(ONE_WAY_MS)
  }

  settle(): void {
    this.isSettled = true
    this.resuming?.emit('abort')
    // Most posts are finished once they are answered. A post that is not finished would keep its connection open.
    if (!this.#isOver) this.#hangUpIn(LINGER_MS)
  }

  abandon(): void {
    this.isSettled = true
    this.resuming?.emit('abort')
    this.#hangUp(NOT_WANTED)
  }

  onLine(line: Line): void {
    this.#line = line
  }

  onHead({ status, headers }: ResponseHead): void {
    this.#status = status
    const session = headers.get('mcp-session-id')
    if (session !== undefined) this.#owner.onSession(session)
    this.#challenge = headers.get('www-authenticate')
    const isStream = headers.get('content-type')?.startsWith('text/event-stream')
    if (status === 200 && isStream && !this.isSettled) {
      this.#reader = createEventReader(
        this.#owner.maxBytes,
        data => {
          this.#releaseHeld()
          this.#owner.onEvent(this, data)
        },
        lines => this.#owner.onNoise(this, lines),
      )
      this.#owner.onStreamOpened(this)
    }
  }

  onBody(chunk: Buffer): void {
    if (this.isSettled) return this.#discard(chunk)
    this.held += chunk.length
    if (!this.#owner.unfinished.hold(this, chunk.length)) return this.giveUp()
    if (this.#reader !== undefined) return this.#reader.feed(chunk)
    this.#body.add(chunk)
    if (this.#body.size > this.#owner.maxBytes) this.#hangUp(TOO_LARGE)
  }

  giveUp(): void {
    this.#hangUp(TOO_MUCH)
  }

  #releaseHeld(): void {
    const { held } = this
    this.held = 0
    this.#owner.unfinished.hold(this, -held)
  }

  /** Stops reading for this long, because the server sends too much. */
  rest(ms: number): void {
    this.#line?.rest(this, ms)
  }

  /** Discards what follows the answer, and closes the connection if that is too much. */
  #discard(chunk: Buffer): void {
    this.#afterwards += chunk.length
    if (this.#afterwards > MOST_AFTER_ANSWER) this.#hangUp(NOT_WANTED)
  }

  #hangUp(error: Error): void {
    this.#line?.abort(this, error)
  }

  #hangUpIn(ms: number): void {
    this.#deadline = setTimeout(() => this.#hangUp(NOT_WANTED), ms).unref()
  }

  #finish(): void {
    this.#isOver = true
    this.#releaseHeld()
    clearTimeout(this.#deadline)
    if (this.message.id === undefined) this.#owner.onOneWayDone(this)
  }

  onEnd(): void {
    this.#finish()
    if (this.isSettled) return
    if (this.#reader !== undefined)
      return this.#owner.onDone(this, { kind: 'stream', position: this.#reader.position })
    const text = this.#body.toString()
    this.#owner.onDone(this, { kind: 'text', status: this.#status, text, challenge: this.#challenge })
  }

  onError(error: Error): void {
    this.#finish()
    if (this.isSettled) return
    const kind = error === TOO_LARGE ? 'too-large' : error === TOO_MUCH ? 'too-much-at-once' : undefined
    this.#owner.onDone(this, kind === undefined ? { kind: 'error', error } : { kind })
  }
}

const MOST_AFTER_ANSWER = 64 * 1024
const LINGER_MS = 5000
const TOO_LARGE = new Error('too large')
const TOO_MUCH = new Error('too many long answers at once')
const NOT_WANTED = new Error('no longer wanted')
