import type { ServerResponse } from 'node:http'
import type { Principal } from '../scope/scope.ts'

interface Watched {
  readonly res: Pick<ServerResponse, 'destroy'>
  readonly principal: Pick<Principal, 'expiresAt'>
  readonly phase?: string | undefined
}

/** What a timer can wait for. */
const LONGEST_MS = 2 ** 31 - 1

/**
 * Ends the streams of callers whose credentials are over. Nobody says so when that happens, and a stream asks for
 * nothing by which one would notice. Calls end by themselves. One timer stands for all: the soonest end.
 */
export class ExpiryWatch {
  readonly #open: () => Iterable<Watched>
  #timer: NodeJS.Timeout | undefined
  #soonest = Number.POSITIVE_INFINITY

  constructor(open: () => Iterable<Watched>) {
    this.#open = open
  }

  /** A stream came in that is open until then at most. */
  note(expiresAt: number): void {
    if (expiresAt >= this.#soonest) return
    clearTimeout(this.#timer)
    this.#soonest = expiresAt
    this.#timer = setTimeout(() => this.#look(), Math.min(expiresAt - Date.now(), LONGEST_MS))
    this.#timer.unref()
  }

  stop(): void {
    clearTimeout(this.#timer)
  }

  #look(): void {
    this.#soonest = Number.POSITIVE_INFINITY
    const now = Date.now()
    for (const { res, principal, phase } of this.#open()) {
      if (phase !== 'stream' || principal.expiresAt === undefined) continue
      if (principal.expiresAt <= now) res.destroy()
      else this.note(principal.expiresAt)
    }
  }
}
