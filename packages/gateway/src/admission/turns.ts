import type { ServerConfig } from '../config/config.ts'
import { FairQueue, Visitor } from './fair-queue.ts'

/** A call that may have to wait for its turn. */
interface Waiting {
  readonly caller: { readonly session: string }
  onCancel(listener: () => void): void
}

/** Gives a turn back. */
export type Leave = () => void

/**
 * For servers with `parallel: "exclusive-writes"`: within a session reads run together, and everything else runs alone,
 * in the order of coming, so that a read after a write sees what was written.
 */
export class Turns {
  /** A line for each session at each server. */
  readonly #queue = new FairQueue({ places: Number.POSITIVE_INFINITY, waiting: Number.POSITIVE_INFINITY })

  /** Undefined: no turn is needed. Otherwise how to give it back, or `cancelled` when the caller left the queue. */
  take(
    waiting: Waiting,
    kind: 'read' | 'write',
    { name, parallel }: Pick<ServerConfig, 'name' | 'parallel'>,
  ): undefined | Promise<Leave | 'cancelled'> {
    if (parallel === 'free') return undefined
    const visitor = new Visitor()
    visitor.isAlone = kind === 'write'
    waiting.onCancel(() => visitor.giveUp())
    return this.#enter(visitor, `${name} ${waiting.caller.session}`)
  }

  async #enter(visitor: Visitor, line: string): Promise<Leave | 'cancelled'> {
    const turn = await this.#queue.enter(visitor, line)
    return turn === 'granted' ? () => this.#queue.leave(visitor) : 'cancelled'
  }
}
