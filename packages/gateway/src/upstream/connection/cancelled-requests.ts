import { LIMITS } from '../../admission/limits.ts'
import type { Id } from '../../protocol/messages.ts'
import type { Callers, Owner } from './callers.ts'

/** A server may ignore a cancellation and go on, and ask, for a long time. */
const CANCELLED_MS = 5 * 60_000
/** The gateway remembers the owners of no more cancelled calls than this. */
const MOST_CANCELLED = LIMITS.questions.ofServer.count
/** Answers that may come late. These need no owner, so there may be more of them. */
const MOST_UNANSWERED = 10 * MOST_CANCELLED

/** Cancelled calls of one connection: the server may still work on them and answer. */
export class CancelledRequests {
  readonly #owned = new Map<Id, Owner & { readonly until: number }>()
  /** The cancelled calls of all callers, each with what to call when its answer comes. */
  readonly #unanswered = new Map<Id, (() => void) | undefined>()
  /** Before this time, not all cancelled calls are known, because there were too many to remember. */
  #unclearUntil = 0
  readonly #callers: Callers

  constructor(callers: Callers) {
    this.#callers = callers
  }

  /** Without an owner, it is a request of the gateway itself. */
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

  /** The server answered after all. Returns false if there was nothing to answer. */
  takeAnswer(id: Id, now: number): boolean {
    const owner = this.#owned.get(id)
    this.#owned.delete(id)
    if (owner !== undefined) this.#callers.ended(owner, now)
    return this.#settle(id)
  }

  /** Calls back when the cancelled call is answered, or at once if it already is. */
  whenAnswered(id: Id, onDone: () => void): void {
    if (this.#unanswered.has(id)) this.#unanswered.set(id, onDone)
    else onDone()
  }

  /** The connection ends, so no more answers come. */
  settleAll(): void {
    for (const id of this.#unanswered.keys()) this.#settle(id)
  }

  /** The only caller that the server can mean, given these open requests and the cancelled ones. */
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
