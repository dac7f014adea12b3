import type { ServerResponse } from 'node:http'

const HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
}
const KEEP_ALIVE_MS = 15_000

/** An event stream to one client, with a bound on what a slow reader may make us keep. */
export class EventStream {
  /** Who reads it. */
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
    // Who left before this was opened closes no more.
    if (res.closed) clearInterval(this.#keepAlive)
    else res.once('close', () => clearInterval(this.#keepAlive))
  }

  get isOpen(): boolean {
    return !this.res.destroyed && !this.res.writableEnded
  }

  send(data: string, id?: string): void {
    this.#write(frame(data, id))
  }

  /** The last of it is an answer, and may be longer than what a slow reader may make us keep: it was counted elsewhere. */
  finish(data: string, id?: string): void {
    if (this.isOpen) this.res.write(frame(data, id))
    this.end()
  }

  /** Gives the client an event id before there is anything to say, so that it can come back after a break. */
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
    // A reader that does not read must not fill our memory: it is cut off and may come back.
    if (this.res.writableLength > this.#maxQueued) this.res.destroy()
  }
}

function frame(data: string, id: string | undefined): string {
  return `event: message\n${id === undefined ? '' : `id: ${id}\n`}data: ${data}\n\n`
}
