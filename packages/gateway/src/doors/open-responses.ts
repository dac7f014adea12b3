import type { ServerResponse } from 'node:http'
import type { Principal } from '../tokens/scope.ts'
import type { Surface } from './surface.ts'

interface Opened {
  readonly principal: Principal
  readonly surface: Surface
  /** What to do when the response is over, finished or not. */
  onClose?: () => void
}

/** Responses that are not finished: calls, which end by themselves, and streams, which stay open. Both are bounded. */
export class OpenResponses {
  readonly #calls = new Map<ServerResponse, Opened>()
  readonly #streams = new Map<ServerResponse, Opened>()
  readonly #limits: { readonly concurrentCalls: number; readonly streams: number }

  constructor(limits: { readonly concurrentCalls: number; readonly streams: number }) {
    this.#limits = limits
  }

  /** False when too many calls are open already. */
  addCall(res: ServerResponse, opened: Opened): boolean {
    if (this.#calls.size >= this.#limits.concurrentCalls) return false
    this.#calls.set(res, opened)
    res.once('close', () => {
      this.#calls.delete(res)
      this.#streams.delete(res)
      opened.onClose?.()
    })
    return true
  }

  /** What came as a call turns out to stay open. False when too many streams do already. */
  becomeStream(res: ServerResponse): boolean {
    const opened = this.#calls.get(res)
    if (opened === undefined || this.#streams.size >= this.#limits.streams) return false
    this.#calls.delete(res)
    this.#streams.set(res, opened)
    return true
  }

  /** Ends what belongs to callers that may no longer be here, and streams of those whose scope is another now. */
  async recheck(find: (principal: Principal) => Promise<Principal | undefined>): Promise<void> {
    for (const [res, { principal }] of [...this.#calls])
      if ((await find(principal)) === undefined) res.destroy()
    for (const [res, { principal }] of [...this.#streams]) {
      const now = await find(principal)
      if (now === undefined || JSON.stringify(now.scope) !== JSON.stringify(principal.scope)) res.destroy()
    }
  }

  /** A surface is no longer there. */
  endAt(surface: Surface): void {
    for (const [res, opened] of [...this.#calls, ...this.#streams])
      if (opened.surface === surface) res.destroy()
  }
}
