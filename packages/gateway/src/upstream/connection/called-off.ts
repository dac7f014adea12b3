import { LIMITS } from '../../admission/limits.ts'
import type { Id } from '../../protocol/messages.ts'
import type { Callers, Owner } from './callers.ts'

/** A server need not obey when a call is called off, and rarely says that it did: it may go on, and ask, for long. */
const CALLED_OFF_MS = 5 * 60_000
/** More calls than this that were called off are not told apart. */
const MOST_CALLED_OFF = LIMITS.questions.ofServer.count
/** Answers that may come late. No owner has to be found for these, so there may be more of them. */
const MOST_UNANSWERED = 10 * MOST_CALLED_OFF

/** Calls that were called off on one connection: the server may be at them still, and answer. */
export class CalledOff {
  readonly #owned = new Map<Id, Owner & { readonly until: number }>()
  /** Of all callers, and what is to be called when the answer comes. */
  readonly #unanswered = new Map<Id, (() => void) | undefined>()
  /** Until when it is not known whose calls are open. */
  #unclearUntil = 0
  readonly #callers: Callers

  constructor(callers: Callers) {
    this.#callers = callers
  }

  /** Without an owner it was our own housekeeping. */
  add(id: Id, owner: Owner | undefined, now: number): void {
    this.#expect(id)
    if (owner === undefined) return
    const [oldest] = this.#owned
    if (this.#owned.size >= MOST_CALLED_OFF && oldest !== undefined) {
      this.#unclearUntil = Math.max(this.#unclearUntil, oldest[1].until)
      this.#owned.delete(oldest[0])
    }
    this.#owned.set(id, { ...owner, until: now + CALLED_OFF_MS })
    this.#callers.ended(owner, now)
  }

  /** The server answered after all; false when there was nothing to answer. */
  takeAnswer(id: Id, now: number): boolean {
    const owner = this.#owned.get(id)
    this.#owned.delete(id)
    if (owner !== undefined) this.#callers.ended(owner, now)
    return this.#letGoOf(id)
  }

  /** Calls back when one that was called off is answered: at once, where it was. */
  whenAnswered(id: Id, letGo: () => void): void {
    if (this.#unanswered.has(id)) this.#unanswered.set(id, letGo)
    else letGo()
  }

  /** There will be no more answers. */
  letGoOfAll(): void {
    for (const id of this.#unanswered.keys()) this.#letGoOf(id)
  }

  /** The one caller that the server can mean, with these requests under way and those that were called off. */
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
    if (this.#unanswered.size >= MOST_UNANSWERED && oldest !== undefined) this.#letGoOf(oldest)
    this.#unanswered.set(id, undefined)
  }

  #letGoOf(id: Id): boolean {
    const letGo = this.#unanswered.get(id)
    const wasAwaited = this.#unanswered.delete(id)
    letGo?.()
    return wasAwaited
  }
}
