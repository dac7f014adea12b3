import type { ServerResponse } from 'node:http'

const HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
}
const KEEP_ALIVE_MS = 15_000

/** An event stream to one client. The memory for events that the client has not read yet is limited. */
export class EventStream {
  /** The response that carries the stream. */
  readonly res: ServerResponse
  readonly #maxQueued: number
  readonly #keepAlive: NodeJS.Timeout

  constructor(res: ServerResponse, maxQueued: number, headers: Readonly<Record<string, string>> = {}) {
    this.res = res
    this.#maxQueued = maxQueued
    res.writeHead(200, { ...HEADERS, ...headers })
    res.flushHeaders()
    this.#keepAlive = setInterval(() => this.#write(': keepalive\n\n'), KEEP_ALIVE_MS)
    this.#keepAlive.unref()
    // If the client has already disconnected, the close event will not come again.
    if (res.closed) clearInterval(this.#keepAlive)
    else res.once('close', () => clearInterval(this.#keepAlive))
  }

  get isOpen(): boolean {
    return !this.res.destroyed && !this.res.writableEnded
  }

  send(data: string, id?: string): void {
    this.#write(frame(data, id))
  }

  /**
   * Sends the last event and ends the stream. This event is an answer, which can exceed the memory limit, because
   * answers are counted elsewhere.
   */
  finish(data: string, id?: string): void {
    if (this.isOpen) this.res.write(frame(data, id))
    this.end()
  }

  /** Sends an event id before any data, so that the client can resume after a disconnect. */
  prime(id: string, retryMs: number): void {
    this.#write(`id: ${id}\nretry: ${retryMs}\ndata: \n\n`)
  }

  end(): void {
    clearInterval(this.#keepAlive)
    this.res.end()
  }

  #write(text: string): void {
    if (!this.isOpen) return
    this.res.write(text)
    // A client that stops reading must not fill the memory, so it is disconnected. It can reconnect and resume.
    if (this.res.writableLength > this.#maxQueued) this.res.destroy()
  }
}

function frame(data: string, id: string | undefined): string {
  return `event: message\n${id === undefined ? '' : `id: ${id}\n`}data: ${data}\n\n`
}
