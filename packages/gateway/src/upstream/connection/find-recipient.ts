import type { InFlight } from '../../base/in-flight.ts'
import type { Id } from '../../protocol/messages.ts'
import type { Owner } from './callers.ts'
import type { CancelledRequests } from './cancelled-requests.ts'
import { ownerOf, type PendingCall } from './pending-calls.ts'

/** Finds the call that a message from the server belongs to. */
export class RecipientFinder {
  readonly #calls: InFlight<PendingCall>
  readonly #cancelled: CancelledRequests

  constructor(calls: InFlight<PendingCall>, cancelled: CancelledRequests) {
    this.#calls = calls
    this.#cancelled = cancelled
  }

  /** Returns the calls that have a client to ask. The gateway's own requests have none. */
  askable(): PendingCall[] {
    return this.#calls.values().filter(call => call.request.client?.ask !== undefined)
  }

  /**
   * Returns the call that caused a message; undefined if that is uncertain. Where calls have no streams of their own,
   * it is certain only if a single caller has a single active call.
   */
  callOf(relatedTo: Id | undefined): PendingCall | undefined {
    if (relatedTo !== undefined) return this.#calls.get(relatedTo)
    if (this.findOwner(undefined) === undefined) return undefined
    const candidates = this.askable()
    // While a call waits for the answer to a question, the server does not work on it, so that call did not cause this
    // message.
    const active = candidates.filter(call => call.questions === 0)
    const [only, ...others] = active.length === 0 ? candidates : active
    return others.length === 0 ? only : undefined
  }

  findOwner(relatedTo: Id | undefined): Owner | undefined {
    if (relatedTo !== undefined) return undefined
    const underWay = this.#calls.values().flatMap(({ request }) => ownerOf(request) ?? [])
    return this.#cancelled.findCaller(underWay, performance.now())
  }
}
