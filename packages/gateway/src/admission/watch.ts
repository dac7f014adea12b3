import type { ServerResponse } from 'node:http'
import type { InFlight } from '../base/in-flight.ts'
import type { Limits } from '../config/config.ts'
import { LIMITS } from './limits.ts'

/** An open response. In the phase `body`, its request is still arriving. */
export interface Watched {
  readonly res: ServerResponse
  readonly principal: { readonly id: string; readonly expiresAt?: number }
  readonly phase?: string | undefined
  /** True if the body is complete and waits to be read. */
  isWhole?: boolean
  /** Called if the rest of the body does not arrive. */
  onLate?: ((res: ServerResponse) => void) | undefined
}

type Bodies = Map<Watched, { readonly bytes: number; readonly at: number }>

const LONGEST_TICK_MS = 1000
const SHORTEST_TICK_MS = 50

/**
 * Closes responses whose request body does not arrive, whose client does not read, or whose credential has expired
 * (only for streams: no request of a stream would notice the expiry, while calls end by themselves). One timer checks
 * everything that is open, because a timer per call would cost more than most calls.
 */
export class Watch {
  readonly #limits: Pick<Limits, 'bodyMs' | 'unreadMs' | 'unreadBytesPerPrincipal'>
  readonly #open: Pick<InFlight<Watched>, 'values' | 'size'>
  readonly #tickMs: number
  /** For each body, the number of bytes that have arrived, and when that number last grew. */
  #bodies: Bodies = new Map()
  /** Responses whose socket has a timeout that reports a stalled reader. */
  readonly #timed = new WeakSet<Watched>()
  #timer: NodeJS.Timeout | undefined
  /** The time of the next check, as in `Date.now()`. */
  #due = Number.POSITIVE_INFINITY

  constructor(
    limits: Pick<Limits, 'bodyMs' | 'unreadMs' | 'unreadBytesPerPrincipal'>,
    open: Pick<InFlight<Watched>, 'values' | 'size'>,
  ) {
    this.#limits = limits
    this.#open = open
    const half = Math.min(limits.bodyMs, limits.unreadMs) / 2
    this.#tickMs = Math.max(SHORTEST_TICK_MS, Math.min(LONGEST_TICK_MS, half))
  }

  /** Call this when a response is opened, with the time at which it must end, if there is one. */
  note(expiresAt?: number): void {
    if (expiresAt !== undefined && expiresAt < this.#due) this.#lookIn(expiresAt - Date.now())
    else if (this.#timer === undefined) this.#lookIn(this.#tickMs)
  }

  stop(): void {
    clearTimeout(this.#timer)
  }

  #lookIn(ms: number): void {
    const soon = Math.min(ms, this.#tickMs)
    clearTimeout(this.#timer)
    this.#due = Date.now() + soon
    this.#timer = setTimeout(() => this.#look(performance.now(), Date.now()), soon)
    this.#timer.unref()
  }

  #look(now: number, date: number): void {
    const bodies: Bodies = new Map()
    const queued = new Map<string, number>()
    let soonest = this.#tickMs
    for (const opened of this.#open.values()) {
      const { phase, res, principal } = opened
      const leftMs = phase === 'stream' ? (principal.expiresAt ?? Number.POSITIVE_INFINITY) - date : soonest
      if (leftMs > 0) soonest = Math.min(soonest, leftMs)
      if (leftMs <= 0) res.destroy()
      else if (phase === 'body') this.#watchBody(opened, now, bodies)
      else if (res.writableLength > 0) this.#watchReader(opened, queued)
    }
    this.#bodies = bodies
    this.#timer = undefined
    this.#due = Number.POSITIVE_INFINITY
    if (this.#open.size > 0) this.#lookIn(soonest)
  }

  #watchBody(opened: Watched, now: number, moving: Bodies): void {
    if (opened.isWhole === true) return
    const bytes = opened.res.req.socket.bytesRead
    const before = this.#bodies.get(opened)
    if (before === undefined || before.bytes !== bytes) moving.set(opened, { bytes, at: now })
    else if (now - before.at < this.#limits.bodyMs) moving.set(opened, before)
    else opened.onLate?.(opened.res)
  }

  #watchReader(opened: Watched, queued: Map<string, number>): void {
    const { res, principal } = opened
    if (!this.#timed.has(opened)) {
      this.#timed.add(opened)
      // The timeout also fires for a stream without events, which is allowed. Only a write without progress is closed.
      res.setTimeout(this.#limits.unreadMs, () => {
        if (res.writableLength > 0) res.destroy()
      })
    }
    // Answers were already counted when they were sent. A stream's queue grows gradually, so it is counted here.
    if (res.writableEnded || res.writableLength < LIMITS.unread.leastBytes) return
    const sum = (queued.get(principal.id) ?? 0) + res.writableLength
    if (sum > this.#limits.unreadBytesPerPrincipal) res.destroy()
    else queued.set(principal.id, sum)
  }
}
