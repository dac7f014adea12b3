import type { ServerResponse } from 'node:http'
import { InFlight } from '../in-flight.ts'
import type { Principal } from '../tokens/scope.ts'
import type { Surface } from './surface.ts'

/** A response that is not finished. */
export interface OpenResponse {
  readonly res: ServerResponse
  readonly principal: Principal
  /** Absent for what belongs to no surface. */
  readonly surface?: Surface
  /** What to call off when the response is over before it is finished. */
  call: { cancelUnlessParked(reason: string): void } | undefined
}

/** Responses that are not finished: calls, which end by themselves, and streams, which stay open. Both are bounded. */
export class OpenResponses {
  readonly #calls = new InFlight<OpenResponse>()
  readonly #streams = new Set<OpenResponse>()
  readonly #limits: { readonly concurrentCalls: number; readonly streams: number }

  constructor(limits: { readonly concurrentCalls: number; readonly streams: number }) {
    this.#limits = limits
  }

  /** False when too many calls are open already. */
  addCall(opened: OpenResponse): boolean {
    if (this.#calls.size - this.#streams.size >= this.#limits.concurrentCalls) return false
    const number = this.#calls.add(opened)
    opened.res.on('close', () => {
      this.#calls.remove(number)
      if (this.#streams.size > 0) this.#streams.delete(opened)
      if (!opened.res.writableFinished) opened.call?.cancelUnlessParked('the client went away')
    })
    return true
  }

  /** What came as a call turns out to stay open. False when too many streams do already. */
  becomeStream(opened: OpenResponse): boolean {
    if (opened.res.closed || this.#streams.size >= this.#limits.streams) return false
    this.#streams.add(opened)
    return true
  }

  /** Ends what belongs to callers that may no longer be here, and streams of those whose scope is another now. */
  async recheck(find: (principal: Principal) => Promise<Principal | undefined>): Promise<void> {
    for (const opened of this.#calls.values()) {
      const { principal, res } = opened
      const now = await find(principal)
      const isOther = JSON.stringify(now?.scope) !== JSON.stringify(principal.scope)
      if (now === undefined || (isOther && this.#streams.has(opened))) res.destroy()
    }
  }

  /** A surface is no longer there. */
  endAt(surface: Surface): void {
    for (const opened of this.#calls.values()) if (opened.surface === surface) opened.res.destroy()
  }
}
