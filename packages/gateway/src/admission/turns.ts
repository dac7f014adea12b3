import type { ServerConfig } from '../config/config.ts'
import { FairQueue, Ticket } from './fair-queue.ts'

/** A call that may have to wait for its turn. */
interface Waiting {
  readonly caller: { readonly session: string }
  onCancel(listener: () => void): void
}

/** Ends a turn. */
export type Leave = () => void

/**
 * Orders the calls to servers with `parallel: "exclusive-writes"`. Within a session, reads run together and all other
 * calls run alone, in order of arrival, so that a read after a write sees what was written.
 */
export class Turns {
  /** One queue; each session at each server counts as a caller in it. */
  readonly #queue = new FairQueue({ slots: Number.POSITIVE_INFINITY, waiting: Number.POSITIVE_INFINITY })

  /**
   * Waits for a turn. Undefined if none is needed. Resolves to a function that ends the turn, or to `cancelled` if the
   * caller left the queue.
   */
  take(
    waiting: Waiting,
    kind: 'read' | 'write',
    { name, parallel }: Pick<ServerConfig, 'name' | 'parallel'>,
  ): undefined | Promise<Leave | 'cancelled'> {
    if (parallel === 'free') return undefined
    const ticket = new Ticket()
    ticket.isAlone = kind === 'write'
    waiting.onCancel(() => ticket.stopWaiting())
    return this.#enter(ticket, `${name} ${waiting.caller.session}`)
  }

  async #enter(ticket: Ticket, key: string): Promise<Leave | 'cancelled'> {
    const turn = await this.#queue.enter(ticket, key)
    return turn === 'granted' ? () => this.#queue.release(ticket) : 'cancelled'
  }
}
