import type { ApprovalStore, StoredApproval } from '../store/approval-store.ts'

export interface DecisionWatchDeps {
  readonly store: Pick<ApprovalStore, 'find' | 'listPending'>
  readonly onChange: (listener: () => void) => () => void
  readonly now: () => number
}

interface Waiter {
  readonly resolve: (found: StoredApproval | undefined) => void
  readonly reject: (error: unknown) => void
}

/**
 * Interval between queries, in milliseconds. They are needed because no notification is sent when an approval expires.
 */
const LOOK_MS = 1000

/**
 * Waits for decisions on behalf of all callers: a change causes one query for the open approvals, however many callers
 * wait. An approval can take 250 kB, so it is read in full only once, when it is decided.
 */
export class DecisionWatch {
  readonly #deps: DecisionWatchDeps
  readonly #waiting = new Map<string, Set<Waiter>>()
  #stopListening: (() => void) | undefined
  #isLooking = false
  #isDue = false

  constructor(deps: DecisionWatchDeps) {
    this.#deps = deps
  }

  /** Waits for a decision; resolves to undefined if the approval has expired. */
  waitFor(id: string): { readonly decided: Promise<StoredApproval | undefined>; readonly stop: () => void } {
    let stop = (): void => {}
    const decided = new Promise<StoredApproval | undefined>((resolve, reject) => {
      const waiter = { resolve, reject }
      const others = this.#waiting.get(id)
      if (others === undefined) this.#waiting.set(id, new Set([waiter]))
      else others.add(waiter)
      stop = () => this.#forget(id, waiter)
    })
    this.#stopListening ??= this.#listen()
    this.#look()
    return { decided, stop }
  }

  #listen(): () => void {
    const look = (): void => this.#look()
    const stop = this.#deps.onChange(look)
    const timer = setInterval(look, LOOK_MS).unref()
    return () => {
      stop()
      clearInterval(timer)
    }
  }

  #forget(id: string, waiter: Waiter): void {
    const waiters = this.#waiting.get(id)
    waiters?.delete(waiter)
    if (waiters?.size === 0) this.#remove(id)
  }

  #remove(id: string): readonly Waiter[] {
    const waiters = this.#waiting.get(id) ?? []
    this.#waiting.delete(id)
    if (this.#waiting.size === 0) {
      this.#stopListening?.()
      this.#stopListening = undefined
    }
    return [...waiters]
  }

  /** Queries the open approvals, one query at a time; any number of changes during a query cause one more. */
  #look(): void {
    this.#isDue = true
    if (this.#isLooking) return
    this.#isLooking = true
    void this.#lookWhileDue()
  }

  async #lookWhileDue(): Promise<void> {
    while (this.#isDue && this.#waiting.size > 0) {
      this.#isDue = false
      // The ids are taken before the query, because an approval that is added during it can be open and yet missing
      // from the result.
      const ids = [...this.#waiting.keys()]
      try {
        const open = new Set(await this.#deps.store.listPending(this.#deps.now()))
        for (const id of ids) if (!open.has(id)) await this.#settle(id)
      } catch (error) {
        for (const id of [...this.#waiting.keys()]) for (const { reject } of this.#remove(id)) reject(error)
      }
    }
    // This is reset before the next query can be requested. Otherwise, a change in between would be missed.
    this.#isLooking = false
  }

  async #settle(id: string): Promise<void> {
    const found = await this.#deps.store.find(id)
    const isPending = found?.state === 'pending'
    if (isPending && found.expiresAt > this.#deps.now()) return
    for (const { resolve } of this.#remove(id)) resolve(isPending ? undefined : found)
  }
}
