import type { ApprovalStore, StoredApproval } from '../store/approval-store.ts'
import type { EventHub } from './event-hub.ts'

/** What is over was not decided either. */
const ANY_TIME = 0

/** More questions than that are not open at once, or nobody would answer them anyway. */
const REMEMBERED = 10_000

type Questions = Pick<ApprovalStore, 'find' | 'listPending'>

/** Tells who asked, and what became of it, whoever decided and wherever. */
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

  /** To be called whenever something may have been decided; called often, it looks once more. */
  look(): Promise<void> {
    if (this.#open.size === 0 || this.#isDue) return this.#looking
    this.#isDue = true
    // A look that failed was reported to whoever asked for it; the next one is another.
    this.#looking = this.#looking.catch(() => {}).then(() => this.#lookNow())
    return this.#looking
  }

  /** Reads a question when it is decided, and not before: it may be long. */
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
