import type { EventEmitter } from 'node:events'
import type { Holder, Unfinished } from '../../admission/unfinished.ts'
import { Pieces } from '../../base/pieces.ts'
import type { Exchange, Line, ResponseHead } from '../../http/client/exchange.ts'
import { ASIDE_MS } from '../channel/asides.ts'
import type { Carried, Outgoing } from '../channel/channel.ts'
import { createEventReader, type EventReader, type StreamPosition } from './read-events.ts'

/** What came of one POST. */
export type PostResult =
  | PostText
  | { readonly kind: 'stream'; readonly position: StreamPosition }
  | PostFailure

export interface PostText {
  readonly kind: 'text'
  readonly status: number
  readonly text: string
  /** Where access is refused: what would be needed. */
  readonly challenge: string | undefined
}

export type PostFailure =
  | { readonly kind: 'too-large' | 'too-much-at-once' }
  | { readonly kind: 'error'; readonly error: Error }

/** Whoever sends posts; one for all of them, so that a post needs no functions of its own. */
export interface PostOwner {
  readonly maxBytes: number
  onSession(session: string): void
  onStreamOpened(post: HttpPost): void
  onEvent(post: HttpPost, data: string): void
  /** Lines of its stream that bring nothing. */
  onNoise(post: HttpPost, lines: number): void
  /** Not called for a post that nobody waits for any more. */
  onDone(post: HttpPost, result: PostResult): void
  /** It was no call, and has left the line. */
  onSaid(post: HttpPost): void
  /** Of answers that are not whole yet. */
  readonly unfinished: Unfinished
}

/** One POST, and what comes of it. Of what is no call nothing comes, whatever the server says to it. */
export class HttpPost implements Exchange, Carried, Holder {
  readonly message: Outgoing
  /** The session it was sent in. */
  readonly session: string | undefined
  isSettled: boolean
  /** The credential that it was sent with, where that changes with time. */
  authorization: string | undefined
  /** Set while a stream that broke off is picked up again. */
  resuming: EventEmitter | undefined
  readonly #owner: PostOwner
  readonly #body = new Pieces()
  #line: Line | undefined
  #reader: EventReader | undefined
  #status = 0
  /** What of its answer is kept until there is more. */
  held = 0
  #afterwards = 0
  #challenge: string | undefined
  #isOver = false
  /** When it is hung up on, where nobody waits for the rest. */
  #deadline: NodeJS.Timeout | undefined

  constructor(message: Outgoing, session: string | undefined, owner: PostOwner) {
    this.message = message
    this.session = session
    this.#owner = owner
    this.isSettled = message.id === undefined
    if (this.isSettled) this.#hangUpIn(ASIDE_MS)
  }

  settle(): void {
    this.isSettled = true
    this.resuming?.emit('abort')
    // Most posts end with their answer, wherever that came; the others would keep a connection each.
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
          this.#letGo()
          this.#owner.onEvent(this, data)
        },
        lines => this.#owner.onNoise(this, lines),
      )
      this.#owner.onStreamOpened(this)
    }
  }

  onBody(chunk: Buffer): void {
    if (this.isSettled) return this.#pass(chunk)
    this.held += chunk.length
    if (!this.#owner.unfinished.hold(this, chunk.length)) return this.giveUp()
    if (this.#reader !== undefined) return this.#reader.feed(chunk)
    this.#body.add(chunk)
    if (this.#body.size > this.#owner.maxBytes) this.#hangUp(TOO_LARGE)
  }

  giveUp(): void {
    this.#hangUp(TOO_MUCH)
  }

  #letGo(): void {
    const { held } = this
    this.held = 0
    this.#owner.unfinished.hold(this, -held)
  }

  /** Nothing more is read for a while: the server says too much. */
  rest(ms: number): void {
    this.#line?.rest(this, ms)
  }

  /** Who goes on after the answer is not listened to, and soon hung up on. */
  #pass(chunk: Buffer): void {
    this.#afterwards += chunk.length
    if (this.#afterwards > MOST_AFTERWARDS) this.#hangUp(NOT_WANTED)
  }

  #hangUp(error: Error): void {
    this.#line?.abort(this, error)
  }

  #hangUpIn(ms: number): void {
    this.#deadline = setTimeout(() => this.#hangUp(NOT_WANTED), ms).unref()
  }

  #leave(): void {
    this.#isOver = true
    this.#letGo()
    clearTimeout(this.#deadline)
    if (this.message.id === undefined) this.#owner.onSaid(this)
  }

  onEnd(): void {
    this.#leave()
    if (this.isSettled) return
    if (this.#reader !== undefined)
      return this.#owner.onDone(this, { kind: 'stream', position: this.#reader.position })
    const text = this.#body.toString()
    this.#owner.onDone(this, { kind: 'text', status: this.#status, text, challenge: this.#challenge })
  }

  onError(error: Error): void {
    this.#leave()
    if (this.isSettled) return
    const kind = error === TOO_LARGE ? 'too-large' : error === TOO_MUCH ? 'too-much-at-once' : undefined
    this.#owner.onDone(this, kind === undefined ? { kind: 'error', error } : { kind })
  }
}

const MOST_AFTERWARDS = 64 * 1024
const LINGER_MS = 5000
const TOO_LARGE = new Error('too large')
const TOO_MUCH = new Error('too much at once')
const NOT_WANTED = new Error('no longer wanted')
