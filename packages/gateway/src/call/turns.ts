import { FairQueue, Visitor } from '../admission/fair-queue.ts'
import type { Classified } from '../exchange/incoming-call.ts'
import type { UpstreamServer } from '../upstream/upstream-server.ts'

/** Gives a turn back. */
export type Leave = () => void

/**
 * For servers with `parallel: "exclusive-writes"`: within a session reads run together, and everything else runs alone,
 * in the order of coming, so that a read after a write sees what was written.
 */
export class Turns {
  /** A line for each session at each server. */
  readonly #queue = new FairQueue({ places: Number.POSITIVE_INFINITY, waiting: Number.POSITIVE_INFINITY })

  /** Undefined: no turn is needed. Otherwise how to give it back, or `cancelled` when the caller left the line. */
  take({ call, variant }: Classified, { config }: UpstreamServer): undefined | Promise<Leave | 'cancelled'> {
    if (config.parallel === 'free') return undefined
    const { exchange } = call
    const visitor = new Visitor()
    visitor.isAlone = variant !== 'call_tool_read'
    exchange.onCancel(() => visitor.giveUp())
    return this.#enter(visitor, `${config.name} ${exchange.caller.session}`)
  }

  async #enter(visitor: Visitor, line: string): Promise<Leave | 'cancelled'> {
    const turn = await this.#queue.enter(visitor, line)
    return turn === 'granted' ? () => this.#queue.leave(visitor) : 'cancelled'
  }
}
