import { LIMITS } from '../../admission/limits.ts'
import type { Id } from '../../protocol/messages.ts'
import type { Callers, Owner } from './callers.ts'

/**
 * How long the owner of a cancelled call is remembered. The server may ignore the cancellation, go on working, and ask
 * questions.
 */
const CANCELLED_MS = 5 * 60_000
/** Maximum number of cancelled calls whose owner is remembered. */
const MOST_CANCELLED = LIMITS.questions.ofServer.count
/**
 * Maximum number of late answers that the gateway waits for. No owner is stored for them, so there can be more of them.
 */
const MOST_UNANSWERED = 10 * MOST_CANCELLED

/** The cancelled calls on one connection. The server might still be executing them, and might still answer. */
export class CancelledRequests {
  readonly #owned = new Map<Id, Owner & { readonly until: number }>()
  /** Cancelled calls of all callers that the server has not answered, each with its callback. */
  readonly #unanswered = new Map<Id, (() => void) | undefined>()
  /** Until this time, some cancelled calls are unknown, because there were too many to remember. */
  #unclearUntil = 0
  readonly #callers: Callers

  constructor(callers: Callers) {
    this.#callers = callers
  }

  /** Adds a cancelled request. The gateway's own requests have no owner. */
  add(id: Id, owner: Owner | undefined, now: number): void {
    this.#expect(id)
    if (owner === undefined) return
    const [oldest] = this.#owned
    if (this.#owned.size >= MOST_CANCELLED && oldest !== undefined) {
      this.#unclearUntil = Math.max(this.#unclearUntil, oldest[1].until)
      this.#owned.delete(oldest[0])
    }
    this.#owned.set(id, { ...owner, until: now + CANCELLED_MS })
    this.#callers.ended(owner, now)
  }

  /** Records that the server answered after all. False if no cancelled call has this id. */
  takeAnswer(id: Id, now: number): boolean {
    const owner = this.#owned.get(id)
    this.#owned.delete(id)
    if (owner !== undefined) this.#callers.ended(owner, now)
    return this.#settle(id)
  }

  /** Calls back when the server answers the cancelled call, or immediately if no answer is expected. */
  whenAnswered(id: Id, onDone: () => void): void {
    if (this.#unanswered.has(id)) this.#unanswered.set(id, onDone)
    else onDone()
  }

  /** Called when the connection ends, because no more answers can come then. */
  settleAll(): void {
    for (const id of this.#unanswered.keys()) this.#settle(id)
  }

  /**
   * Returns the only caller that a message can belong to, given the open requests and the cancelled ones; undefined if
   * there are several or none.
   */
  findCaller(underWay: readonly Owner[], now: number): Owner | undefined {
    if (now < this.#unclearUntil) return undefined
    for (const [id, { until }] of this.#owned) {
      if (until > now) break
      this.#owned.delete(id)
    }
    return this.#callers.find([...underWay, ...this.#owned.values()], now)
  }

  #expect(id: Id): void {
    const [oldest] = this.#unanswered.keys()
    if (this.#unanswered.size >= MOST_UNANSWERED && oldest !== undefined) this.#settle(oldest)
    this.#unanswered.set(id, undefined)
  }

  #settle(id: Id): boolean {
    const onDone = this.#unanswered.get(id)
    const wasAwaited = this.#unanswered.delete(id)
    onDone?.()
    return wasAwaited
  }
}
