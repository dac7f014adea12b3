import type { IncomingHttpHeaders } from 'node:http'
import type { Dispatcher } from 'undici'
import { createEventReader, type EventReader, type StreamPosition } from './read-events.ts'

/** What came of one POST. */
export type PostResult =
  | { readonly kind: 'text'; readonly status: number; readonly text: string }
  | { readonly kind: 'stream'; readonly position: StreamPosition }
  | { readonly kind: 'too-large' }
  | { readonly kind: 'error'; readonly error: Error }

export interface PostEvents {
  onSession(session: string): void
  onStreamOpened(): void
  onEvent(data: string): void
  onDone(result: PostResult): void
}

/** One POST, on the lowest level that undici has: a call costs half of what streams and signals would. */
export class HttpPost implements Dispatcher.DispatchHandler {
  readonly #events: PostEvents
  readonly #maxBytes: number
  readonly #chunks: Buffer[] = []
  #controller: Dispatcher.DispatchController | undefined
  #reader: EventReader | undefined
  #status = 0
  #size = 0
  #isAborted = false

  constructor(maxBytes: number, events: PostEvents) {
    this.#maxBytes = maxBytes
    this.#events = events
  }

  abort(): void {
    this.#isAborted = true
    this.#controller?.abort(new Error('no longer wanted'))
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.#isAborted) this.abort()
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: IncomingHttpHeaders,
  ): void {
    this.#status = status
    const session = headers['mcp-session-id']
    if (typeof session === 'string') this.#events.onSession(session)
    if (status !== 200 || headers['content-type']?.startsWith('text/event-stream') !== true) return
    this.#reader = createEventReader(this.#maxBytes, data => this.#events.onEvent(data))
    this.#events.onStreamOpened()
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#reader !== undefined) return this.#reader.feed(chunk)
    this.#size += chunk.length
    if (this.#size > this.#maxBytes) controller.abort(TOO_LARGE)
    else this.#chunks.push(chunk)
  }

  onResponseEnd(): void {
    if (this.#reader !== undefined)
      return this.#events.onDone({ kind: 'stream', position: this.#reader.position })
    const [only] = this.#chunks
    const body =
      this.#chunks.length === 1 && only !== undefined ? only : Buffer.concat(this.#chunks, this.#size)
    this.#events.onDone({ kind: 'text', status: this.#status, text: body.toString('utf8') })
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#events.onDone(error === TOO_LARGE ? { kind: 'too-large' } : { kind: 'error', error })
  }
}

const TOO_LARGE = new Error('too large')
