import type { ServerResponse } from 'node:http'
import { isLong } from './unread.ts'

/** A response that is not finished; in the phase `body` its request is not, either. */
interface Open {
  readonly res: ServerResponse
  readonly principal: { readonly id: string }
  readonly phase?: string | undefined
  readonly isWhole?: boolean
  /** Says that the body did not come. */
  readonly onLate?: ((res: ServerResponse) => void) | undefined
}

type Bodies = Map<Open, { readonly bytes: number; readonly at: number }>

interface StandstillLimits {
  readonly bodyMs: number
  readonly unreadMs: number
  readonly unreadBytesPerPrincipal: number
}

const LONGEST_TICK_MS = 1000
const SHORTEST_TICK_MS = 50

/**
 * Ends what does not move: bodies that do not come, answers that nobody reads. One clock looks at everything that is
 * open, because a timer for each call would cost more than most of them take.
 */
export class StandstillWatch {
  readonly #limits: StandstillLimits
  readonly #listOpen: () => readonly Open[]
  readonly #clock: NodeJS.Timeout
  /** How far each body was when it last moved, and when that was. */
  #bodies: Bodies = new Map()
  /** Whose socket tells us already when its reader stands still. */
  readonly #timed = new WeakSet<Open>()

  constructor(limits: StandstillLimits, listOpen: () => readonly Open[]) {
    this.#limits = limits
    this.#listOpen = listOpen
    const half = Math.min(limits.bodyMs, limits.unreadMs) / 2
    const tick = Math.max(SHORTEST_TICK_MS, Math.min(LONGEST_TICK_MS, half))
    this.#clock = setInterval(() => this.#look(performance.now()), tick)
    this.#clock.unref()
  }

  stop(): void {
    clearInterval(this.#clock)
  }

  #look(now: number): void {
    const bodies: Bodies = new Map()
    const queued = new Map<string, number>()
    for (const opened of this.#listOpen()) {
      if (opened.phase === 'body') this.#watchBody(opened, now, bodies)
      else if (opened.res.writableLength > 0) this.#watchReader(opened, queued)
    }
    this.#bodies = bodies
  }

  #watchBody(opened: Open, now: number, moving: Bodies): void {
    if (opened.isWhole === true) return
    const bytes = opened.res.req.socket.bytesRead
    const before = this.#bodies.get(opened)
    if (before === undefined || before.bytes !== bytes) moving.set(opened, { bytes, at: now })
    else if (now - before.at < this.#limits.bodyMs) moving.set(opened, before)
    else opened.onLate?.(opened.res)
  }

  #watchReader(opened: Open, queued: Map<string, number>): void {
    const { res, principal } = opened
    if (!this.#timed.has(opened)) {
      this.#timed.add(opened)
      // Sockets know whether a long write moves; a stream that has nothing to say stands still, too, and may.
      res.setTimeout(this.#limits.unreadMs, () => {
        if (res.writableLength > 0) res.destroy()
      })
    }
    // Answers were counted when they were sent; what waits in streams grows bit by bit, and is counted here.
    if (res.writableEnded || !isLong(res.writableLength)) return
    const sum = (queued.get(principal.id) ?? 0) + res.writableLength
    if (sum > this.#limits.unreadBytesPerPrincipal) res.destroy()
    else queued.set(principal.id, sum)
  }
}
