import { LIMITS } from '../../admission/limits.ts'
import type { Id } from '../../protocol/messages.ts'
import type { Callers, Owner } from './callers.ts'

/**
 * How long the owner of a cancelled call is remembered. A server may ignore the cancellation, continue, and ask
 * questions.
 */
const CANCELLED_MS = 5 * 60_000
/** Maximum number of cancelled calls whose owners are remembered. */
const MOST_CANCELLED = LIMITS.questions.ofServer.count
/** Maximum number of late answers that are expected. They need no owner, so there may be more of them. */
const MOST_UNANSWERED = 10 * MOST_CANCELLED

/** The cancelled calls of one connection, which the server may still be executing and answer. */
export class CancelledRequests {
  readonly #owned = new Map<Id, Owner & { readonly until: number }>()
  /** The cancelled calls of all callers that have no answer yet, each with its callback. */
  readonly #unanswered = new Map<Id, (() => void) | undefined>()
  /** Before this time, not all cancelled calls are known, because there were too many to remember. */
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

  /** Called when an answer comes after all. Returns false if no cancelled call was waiting for it. */
  takeAnswer(id: Id, now: number): boolean {
    const owner = this.#owned.get(id)
    this.#owned.delete(id)
    if (owner !== undefined) this.#callers.ended(owner, now)
    return this.#settle(id)
  }

  /** Calls back when the cancelled call is answered; immediately if no answer is expected. */
  whenAnswered(id: Id, onDone: () => void): void {
    if (this.#unanswered.has(id)) this.#unanswered.set(id, onDone)
    else onDone()
  }

  /** Called when the connection ends, after which no answers can come. */
  settleAll(): void {
    for (const id of this.#unanswered.keys()) this.#settle(id)
  }

  /** The only caller that a message can concern, given these open requests and the cancelled ones. */
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
