import type { EventEmitter } from 'node:events'
import type { Dispatcher } from 'undici'
import type { Carried, Outgoing } from './channel.ts'
import { createEventReader, type EventReader, type StreamPosition } from './read-events.ts'

/** What came of one POST. */
export type PostResult =
  | {
      readonly kind: 'text'
      readonly status: number
      readonly text: string
      /** Where access is refused: what would be needed. */
      readonly challenge?: string
    }
  | { readonly kind: 'stream'; readonly position: StreamPosition }
  | { readonly kind: 'too-large' }
  | { readonly kind: 'error'; readonly error: Error }

/** Whoever sends posts; one for all of them, so that a post needs no functions of its own. */
export interface PostOwner {
  readonly maxBytes: number
  onSession(session: string): void
  onStreamOpened(post: HttpPost): void
  onEvent(post: HttpPost, data: string): void
  /** Not called for a post that nobody waits for any more. */
  onDone(post: HttpPost, result: PostResult): void
}

/**
 * One POST, on the lowest level that undici has (raw headers, no streams, no signals): a call costs half of what it
 * would otherwise.
 */
export class HttpPost implements Dispatcher.DispatchHandler, Carried {
  readonly message: Outgoing
  /** The session it was sent in. */
  readonly session: string | undefined
  isSettled = false
  isRepeated = false
  /** The credential that it was sent with, where that changes with time. */
  authorization: string | undefined
  /** Set while a stream that broke off is picked up again. */
  resuming: EventEmitter | undefined
  readonly #owner: PostOwner
  readonly #chunks: Buffer[] = []
  #abort: ((error?: Error) => void) | undefined
  #reader: EventReader | undefined
  #status = 0
  #size = 0
  #afterwards = 0
  #isAborted = false
  #challenge: string | undefined

  constructor(message: Outgoing, session: string | undefined, owner: PostOwner) {
    this.message = message
    this.session = session
    this.#owner = owner
  }

  settle(): void {
    this.isSettled = true
  }

  abandon(): void {
    this.isSettled = true
    this.#isAborted = true
    this.resuming?.emit('abort')
    this.#abort?.(NOT_WANTED)
  }

  /** It was refused, and is sent once more, with another credential. */
  again(): void {
    this.isRepeated = true
    this.#chunks.length = 0
    this.#size = 0
    this.#challenge = undefined
  }

  onConnect(abort: (error?: Error) => void): void {
    this.#abort = abort
    if (this.#isAborted) abort(NOT_WANTED)
  }

  onHeaders(status: number, headers: readonly Buffer[]): boolean {
    this.#status = status
    let isStream = false
    for (let at = 0; at + 1 < headers.length; at += 2) {
      const [name, value] = [headers[at], headers[at + 1]]
      if (name === undefined || value === undefined) continue
      // Most headers are of no interest, and their length already says so.
      if (name.length === SESSION.length && isNamed(name, SESSION))
        this.#owner.onSession(value.toString('latin1'))
      else if (name.length === TYPE.length && isNamed(name, TYPE))
        isStream = value.toString('latin1').startsWith('text/event-stream')
      else if (name.length === CHALLENGE.length && isNamed(name, CHALLENGE))
        this.#challenge = value.toString('latin1')
    }
    if (status === 200 && isStream) {
      this.#reader = createEventReader(this.#owner.maxBytes, data => this.#owner.onEvent(this, data))
      this.#owner.onStreamOpened(this)
    }
    return true
  }

  onData(chunk: Buffer): boolean {
    if (this.isSettled) this.#pass(chunk)
    else if (this.#reader !== undefined) this.#reader.feed(chunk)
    else {
      this.#size += chunk.length
      if (this.#size > this.#owner.maxBytes) this.#abort?.(TOO_LARGE)
      else this.#chunks.push(chunk)
    }
    return true
  }

  /** Who goes on after the answer is not listened to, and soon hung up on. */
  #pass(chunk: Buffer): void {
    this.#afterwards += chunk.length
    if (this.#afterwards > MOST_AFTERWARDS) this.#abort?.(NOT_WANTED)
  }

  onComplete(): void {
    if (this.isSettled) return
    if (this.#reader !== undefined)
      return this.#owner.onDone(this, { kind: 'stream', position: this.#reader.position })
    const [only] = this.#chunks
    const body =
      this.#chunks.length === 1 && only !== undefined ? only : Buffer.concat(this.#chunks, this.#size)
    const challenge = this.#challenge === undefined ? {} : { challenge: this.#challenge }
    this.#owner.onDone(this, {
      kind: 'text',
      status: this.#status,
      text: body.toString('utf8'),
      ...challenge,
    })
  }

  onError(error: Error): void {
    if (!this.isSettled)
      this.#owner.onDone(this, error === TOO_LARGE ? { kind: 'too-large' } : { kind: 'error', error })
  }
}

const MOST_AFTERWARDS = 64 * 1024
const SESSION = 'mcp-session-id'
const TYPE = 'content-type'
const CHALLENGE = 'www-authenticate'

function isNamed(name: Buffer, wanted: string): boolean {
  return name.toString('latin1').toLowerCase() === wanted
}

const TOO_LARGE = new Error('too large')
const NOT_WANTED = new Error('no longer wanted')
