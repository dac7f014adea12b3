import type { InFlight } from '../../base/in-flight.ts'
import type { Id } from '../../protocol/messages.ts'
import type { CalledOff } from './called-off.ts'
import type { Owner } from './callers.ts'
import { ownerOf, type PendingCall } from './pending-calls.ts'

/** Whom a server can mean by what it says of its own accord. */
export class WhomMeant {
  readonly #calls: InFlight<PendingCall>
  readonly #calledOff: CalledOff

  constructor(calls: InFlight<PendingCall>, calledOff: CalledOff) {
    this.#calls = calls
    this.#calledOff = calledOff
  }

  /** Calls with somebody behind them; our own housekeeping has nobody. */
  askable(): PendingCall[] {
    return this.#calls.values().filter(call => call.request.behind?.ask !== undefined)
  }

  /**
   * Whose call made the server say this? Without a stream of its own it is certain only if nobody else can be meant, and
   * one call of theirs can.
   */
  callOf(relatedTo: Id | undefined): PendingCall | undefined {
    if (relatedTo !== undefined) return this.#calls.get(relatedTo)
    if (this.findOwner(undefined) === undefined) return undefined
    const candidates = this.askable()
    // A call that waits for an answer does nothing meanwhile, so it is not the one that speaks.
    const active = candidates.filter(call => call.questions === 0)
    const [only, ...others] = active.length === 0 ? candidates : active
    return others.length === 0 ? only : undefined
  }

  findOwner(relatedTo: Id | undefined): Owner | undefined {
    if (relatedTo !== undefined) return undefined
    const underWay = this.#calls.values().flatMap(({ request }) => ownerOf(request) ?? [])
    return this.#calledOff.findCaller(underWay, performance.now())
  }
}
