import type { ApprovalStore, StoredApproval } from '../store/approval-store.ts'
import type { EventHub } from './event-hub.ts'

/** Queries use this as the current time, so that an approval counts as open however old it is. */
const ANY_TIME = 0

/** Maximum number of open approvals to remember. It is higher than the number that can be open at once. */
const REMEMBERED = 10_000

type Questions = Pick<ApprovalStore, 'find' | 'listPending'>

/** Emits an event when an approval is requested and when it is decided, even if that happens on another replica. */
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

  /** Checks for new decisions. Any number of calls to this method during a check cause only one more check. */
  look(): Promise<void> {
    if (this.#open.size === 0 || this.#isDue) return this.#looking
    this.#isDue = true
    // An error of the previous check is ignored here, because that check's own caller receives it.
    this.#looking = this.#looking.catch(() => {}).then(() => this.#lookNow())
    return this.#looking
  }

  /** Checks for new decisions. An approval is read only after it is decided, because approvals can be long. */
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
