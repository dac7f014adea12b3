import type { ApprovalStore, StoredApproval } from '../store/approval-store.ts'
import type { EventHub } from './event-hub.ts'

/** The time to query with, so that approvals of any age count as open. */
const ANY_TIME = 0

/** The most approvals to remember; there are never more open ones than this. */
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

  /** Looks for decisions when something may have been decided; concurrent calls cause only one more query. */
  look(): Promise<void> {
    if (this.#open.size === 0 || this.#isDue) return this.#looking
    this.#isDue = true
    // A failed query is not repeated here, because its own caller got the error.
    this.#looking = this.#looking.catch(() => {}).then(() => this.#lookNow())
    return this.#looking
  }

  /** Looks for decisions. An approval is read only once it is decided, because it may be long. */
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
