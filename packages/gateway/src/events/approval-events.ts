import type { ApprovalStore, StoredApproval } from '../store/approval-store.ts'
import type { EventHub } from './event-hub.ts'

/** More questions than that are not open at once, or nobody would answer them anyway. */
const REMEMBERED = 10_000

/** Tells who asked, and what became of it, whoever decided and wherever. */
export class ApprovalEvents {
  readonly #hub: EventHub
  readonly #store: ApprovalStore
  readonly #open = new Set<string>()
  #looking: Promise<void> = Promise.resolve()

  constructor(hub: EventHub, store: ApprovalStore) {
    this.#hub = hub
    this.#store = store
  }

  asked({ id, tool, principal, expiresAt }: StoredApproval): void {
    if (this.#open.size < REMEMBERED) this.#open.add(id)
    this.#hub.emit('approval.requested', { id, tool, principal, expires: expiresAt })
  }

  /** To be called whenever something may have been decided. */
  look(): Promise<void> {
    if (this.#open.size === 0) return this.#looking
    this.#looking = this.#looking.then(() => this.#lookNow())
    return this.#looking
  }

  async #lookNow(): Promise<void> {
    for (const id of [...this.#open]) {
      const found = await this.#store.find(id)
      if (found?.state === 'pending') continue
      this.#open.delete(id)
      if (found === undefined) continue
      const { tool, principal, state, decision } = found
      const verdict = state === 'denied' ? 'denied' : 'approved'
      this.#hub.emit('approval.decided', { id, tool, principal, verdict, by: decision?.by ?? '' })
    }
  }
}
