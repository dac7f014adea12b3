import type { Socket } from 'node:net'
import { type Connect, NotConnected } from './connect-to.ts'
import type { Exchange, Line, WireRequest } from './exchange.ts'
import { type ConnectionOwner, WireConnection } from './wire-connection.ts'

interface Waiting {
  readonly request: WireRequest
  readonly exchange: Exchange
}

const SWEEP_MS = 1000

/**
 * The connections to one server. A request uses an idle connection or opens a new one. If the maximum number is open,
 * it waits.
 */
export class WirePool implements ConnectionOwner, Line {
  readonly #connect: Connect
  readonly #most: number
  readonly #open = new Set<WireConnection>()
  readonly #opening = new Set<Socket>()
  /**
   * The idle connections; the most recently used one is last. It is reused first, so that surplus connections grow old
   * and are closed.
   */
  readonly #idle: WireConnection[] = []
  readonly #waiting: Waiting[] = []
  #sweeping: NodeJS.Timeout | undefined
  #isDestroyed = false

  constructor(connect: Connect, most: number) {
    this.#connect = connect
    this.#most = most
  }

  send(request: WireRequest, exchange: Exchange): void {
    if (this.#isDestroyed) return exchange.onError(CLOSED)
    const connection = this.#takeIdle()
    if (connection !== undefined) return connection.start(request, exchange)
    this.#waiting.push({ request, exchange })
    exchange.onLine(this)
    this.#openMore()
  }

  abort(exchange: Exchange, error: Error): void {
    const at = this.#waiting.findIndex(waiting => waiting.exchange === exchange)
    if (at < 0) return
    this.#waiting.splice(at, 1)
    exchange.onError(error)
  }

  /** Does nothing, because a request that waits for a connection receives no data to pause. */
  rest(): void {}

  destroy(): void {
    this.#isDestroyed = true
    clearTimeout(this.#sweeping)
    for (const socket of this.#opening) socket.destroy()
    for (const connection of [...this.#open]) connection.close()
    for (const { exchange } of this.#waiting.splice(0)) exchange.onError(CLOSED)
  }

  onIdle(connection: WireConnection): void {
    const next = this.#waiting.shift()
    if (next !== undefined) return connection.start(next.request, next.exchange)
    this.#idle.push(connection)
    this.#sweeping ??= setTimeout(() => this.#sweep(), SWEEP_MS).unref()
  }

  onGone(connection: WireConnection): void {
    this.#open.delete(connection)
    const at = this.#idle.indexOf(connection)
    if (at >= 0) this.#idle.splice(at, 1)
    if (!this.#isDestroyed) this.#openMore()
  }

  #takeIdle(): WireConnection | undefined {
    const now = performance.now()
    for (let last = this.#idle.pop(); last !== undefined; last = this.#idle.pop()) {
      if (last.usableUntil > now) return last
      last.close()
    }
    return undefined
  }

  /** Opens connections for waiting requests, up to the limit. */
  #openMore(): void {
    while (this.#opening.size < this.#waiting.length && this.#open.size + this.#opening.size < this.#most)
      this.#openOne()
  }

  #openOne(): void {
    const opening = this.#connect(opened => {
      this.#opening.delete(opening)
      if (this.#isDestroyed) return void opening.destroy()
      if (!(opened instanceof Error)) {
        const connection = new WireConnection(opened, this)
        this.#open.add(connection)
        return this.onIdle(connection)
      }
      this.#waiting.shift()?.exchange.onError(new NotConnected(opened))
      this.#openMore()
    })
    this.#opening.add(opening)
  }

  #sweep(): void {
    const now = performance.now()
    // Iterates over a copy, because closing a connection removes it from the list.
    for (const connection of [...this.#idle]) if (connection.usableUntil <= now) connection.close()
    this.#sweeping = this.#idle.length === 0 ? undefined : setTimeout(() => this.#sweep(), SWEEP_MS).unref()
  }
}

const CLOSED = new Error('the connection was closed')
