import type { StreamPace } from '../../admission/pace.ts'
import { InFlight } from '../../base/in-flight.ts'
import type { Id } from '../../protocol/messages.ts'
import type { Carried } from '../channel/channel.ts'
import { Callers, type Owner } from './callers.ts'
import { ownerOf } from './request-facts.ts'
import type { Heard, Reply, UpstreamRequest } from './upstream-request.ts'

export interface PendingCall {
  readonly request: UpstreamRequest
  readonly resolve: (reply: Reply) => void
  readonly progressToken: unknown
  carried: Carried | undefined
  /** When it will have taken too long, in the time of `performance.now()`. */
  deadline: number
  /** Where that cannot be moved any further by reports of progress. */
  latest: number
  /** How much is said on its stream, where it has one and anything was. */
  pace: StreamPace | undefined
  /** Questions of the server in this call that nobody has answered yet. */
  questions: number
  /** Since when there are any. */
  askedAt: number
  /** What of this call has reached the caller: it cannot be taken back when the call is repeated. */
  heard: Heard | undefined
}

/** A call that the server was told to stop, and that keeps its place as long as the server may be at it. */
interface Leftover {
  readonly until: number
  readonly letGo: () => void
}

/** Servers that obey say nothing more, so nobody knows when they are done. Others answer, and take as long as they take. */
const LEFTOVER_MS = 5000

/** What is under way on one connection, under ids of ours, and whom the server can mean by what it says of its own accord. */
export class PendingCalls {
  readonly #inFlight = new InFlight<PendingCall>()
  readonly #callers = new Callers()
  readonly #leftovers = new Map<Id, Leftover>()

  get size(): number {
    return this.#inFlight.size
  }

  add(call: PendingCall): number {
    return this.#inFlight.add(call)
  }

  get(id: unknown): PendingCall | undefined {
    return this.#inFlight.get(id)
  }

  entries(): (readonly [number, PendingCall])[] {
    return this.#inFlight.entries()
  }

  /** What was under way with this id, if it still was. */
  remove(id: Id): PendingCall | undefined {
    return this.#inFlight.remove(id)
  }

  /** Its caller has the answer; the server may still say something about it. */
  noteEnded({ request }: PendingCall): void {
    const owner = ownerOf(request)
    if (owner !== undefined) this.#callers.ended(owner, performance.now())
  }

  /** The server is told to stop, and may go on all the same. */
  noteCalledOff(id: Id, { request }: PendingCall): void {
    this.#callers.calledOff(id, ownerOf(request), performance.now())
  }

  /** Whether this answers one that was called off: nobody told the server in time. */
  takeLateAnswer(id: Id): boolean {
    this.#leftovers.get(id)?.letGo()
    this.#leftovers.delete(id)
    return this.#callers.answered(id, performance.now())
  }

  /** Tells when the server is done with one that was called off, as far as that can be known. */
  keepUntilDone(id: Id, letGo: () => void): void {
    if (this.#callers.awaits(id)) this.#leftovers.set(id, { until: performance.now() + LEFTOVER_MS, letGo })
    else letGo()
  }

  /** Those that have been kept for long enough, as of this moment. */
  letGoOfLeftovers(now: number): void {
    for (const [id, { until, letGo }] of this.#leftovers) {
      if (until > now) return
      this.#leftovers.delete(id)
      letGo()
    }
  }

  /** Calls with somebody behind them; our own housekeeping has nobody. */
  askable(): PendingCall[] {
    return this.#inFlight.values().filter(call => call.request.behind?.ask !== undefined)
  }

  /**
   * Whose call made the server say this? Without a stream of its own it is certain only if nobody else can be meant, and
   * one call of theirs can.
   */
  callOf(relatedTo: Id | undefined): PendingCall | undefined {
    if (relatedTo !== undefined) return this.get(relatedTo)
    if (this.findOwner(undefined) === undefined) return undefined
    const candidates = this.askable()
    // A call that waits for an answer does nothing meanwhile, so it is not the one that speaks.
    const active = candidates.filter(call => call.questions === 0)
    const [only, ...others] = active.length === 0 ? candidates : active
    return others.length === 0 ? only : undefined
  }

  findOwner(relatedTo: Id | undefined): Owner | undefined {
    if (relatedTo !== undefined) return undefined
    const underWay = this.#inFlight.values().flatMap(({ request }) => ownerOf(request) ?? [])
    return this.#callers.find(underWay, performance.now())
  }
}
