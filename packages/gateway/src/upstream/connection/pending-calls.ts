import type { CallTalk } from '../../admission/talk.ts'
import { InFlight } from '../../base/in-flight.ts'
import { type Id, isJsonObject, type Json } from '../../protocol/messages.ts'
import type { Carried } from '../channel/channel.ts'
import { Callers, type Owner } from './callers.ts'
import { connectionOf, type Heard, type Reply, type UpstreamRequest } from './upstream-request.ts'

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
  talk: CallTalk | undefined
  /** Questions of the server in this call that nobody has answered yet. */
  questions: number
  /** Since when there are any. */
  askedAt: number
  /** What of this call has reached the caller: it cannot be taken back when the call is repeated. */
  heard: Heard | undefined
}

/** What is under way on one connection, under ids of ours, and whom the server can mean by what it says of its own accord. */
export class PendingCalls {
  readonly #inFlight = new InFlight<PendingCall>()
  readonly #callers = new Callers()

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
    return this.#callers.answered(id, performance.now())
  }

  /** Calls back when the server answers one that was called off: servers that obey say nothing more. */
  whenAnswered(id: Id, letGo: () => void): void {
    this.#callers.whenAnswered(id, letGo)
  }

  /** Nobody answers any more. */
  letGoOfAll(): void {
    this.#callers.letGoOfAll()
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

/** Who can call a request off. */
interface Way {
  callOff(id: Id, reason: string | undefined): void
  whenDone(id: Id, letGo: () => void): void
}

/** A call in progress that can be called off. */
export class Sent {
  readonly reply: Promise<Reply>
  readonly #connection: Way
  readonly #id: Id

  constructor(connection: Way, id: Id, reply: Promise<Reply>) {
    this.#connection = connection
    this.#id = id
    this.reply = reply
  }

  cancel(reason?: string): void {
    this.#connection.callOff(this.#id, reason)
  }

  /** Calls back as soon as the server is done with it, where that can be known: at once, unless it was called off. */
  whenDone(letGo: () => void): void {
    this.#connection.whenDone(this.#id, letGo)
  }
}

/** Undefined for our own housekeeping. */
export function ownerOf({ behind }: UpstreamRequest): Owner | undefined {
  const caller = behind?.caller
  return caller === undefined ? undefined : { principal: caller.principal.id, session: connectionOf(caller) }
}

/** From now on, in the time of `performance.now()`. */
export function deadlineOf({ timeoutMs }: UpstreamRequest): number {
  return timeoutMs > 0 ? performance.now() + timeoutMs : Number.POSITIVE_INFINITY
}

/** How many times its time a request may take that goes on reporting progress, and what it has of that at least. */
const MOST_TIMES = 10
const LEAST_LONGEST_MS = 10 * 60_000

/** Until when it may take at all, however much progress it reports, by its first deadline. */
export function latestOf({ timeoutMs }: UpstreamRequest, deadline: number): number {
  return deadline - timeoutMs + Math.max(MOST_TIMES * timeoutMs, LEAST_LONGEST_MS)
}

/** Tokens of different callers may be the same; towards the server each request has its own. */
export function withToken(params: Json | undefined, token: Id): Json {
  const meta = isJsonObject(params?._meta) ? params._meta : {}
  return { ...params, _meta: { ...meta, progressToken: token } }
}
