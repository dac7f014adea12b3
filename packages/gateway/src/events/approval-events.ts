import type { ApprovalStore, StoredApproval } from '../store/approval-store.ts'
import type { EventHub } from './event-hub.ts'

/** The decision of an expired approval. */
const ANY_TIME = 0

/** More approvals than that are never open at once. */
const REMEMBERED = 10_000

type Questions = Pick<ApprovalStore, 'find' | 'listPending'>

/** Emits events when an approval is requested and when it is decided, on whichever replica. */
export class ApprovalEvents {
  readonly #hub: EventHub
  readonly #store: Questions
  readonly #open = new Set<string>()
  #looking: Promise<void> = Promise.resolve()
  #isDue = false

  constructor(hub: EventHub, store: Questions) {
    this.#hub = hub
    this.#store = store
  }

  asked({ id, tool, principal, expiresAt }: StoredApproval): void {
    if (this.#open.size < REMEMBERED) this.#open.add(id)
    this.#hub.emit('approval.requested', { id, tool, principal, expires: expiresAt })
  }

  /** Called whenever something may have been decided; concurrent calls cause one more query. */
  look(): Promise<void> {
    if (this.#open.size === 0 || this.#isDue) return this.#looking
    this.#isDue = true
    // The caller of a failed query got its error; the next query starts fresh.
    this.#looking = this.#looking.catch(() => {}).then(() => this.#lookNow())
    return this.#looking
  }

  /** Reads an approval only when it is decided, because it may be long. */
  async #lookNow(): Promise<void> {
    this.#isDue = false
    const ids = [...this.#open]
    const pending = new Set(await this.#store.listPending(ANY_TIME))
    for (const id of ids) {
      if (pending.has(id)) continue
      this.#open.delete(id)
      const found = await this.#store.find(id)
      if (found === undefined) continue
      const { tool, principal, state, decision } = found
      const verdict = state === 'denied' ? 'denied' : 'approved'
      this.#hub.emit('approval.decided', { id, tool, principal, verdict, by: decision?.by ?? '' })
    }
  }
}
