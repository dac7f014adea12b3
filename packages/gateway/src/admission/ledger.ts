import type { ServerResponse } from 'node:http'
import { InFlight } from '../base/in-flight.ts'
import type { Limits } from '../config/config.ts'
import { RPC, type RpcError } from '../protocol/messages.ts'
import type { Principal } from '../scope/scope.ts'
import { LIMITS } from './limits.ts'
import { Watch, type Watched } from './watch.ts'

/**
 * The reason why a response is open: the request's body is still arriving, the response waits for calls (which end by
 * themselves), or the response is a stream.
 */
type Phase = 'body' | 'call' | 'stream'

type Held = 'body' | 'call' | 'stream' | 'bytes' | 'unread'

/** The amounts that one caller, or all callers together, hold at the moment. */
export class Share {
  /** Requests whose body is still arriving. */
  body = 0
  call = 0
  stream = 0
  /** Bytes of long request bodies whose calls are still running. */
  bytes = 0
  /** Bytes of long answers that were sent but not yet read. */
  unread = 0
  /** The totals for all callers of the same kind. */
  readonly all: Share | undefined

  constructor(all?: Share) {
    this.all = all
  }

  count(what: Held, amount: number): void {
    this[what] += amount
    this.all?.count(what, amount)
  }

  get isEmpty(): boolean {
    return this.body + this.call + this.stream + this.bytes + this.unread === 0
  }
}

/** A response that is not finished. */
export interface OpenResponse extends Watched {
  readonly principal: Principal
  /** The surface that the request was sent to. Undefined if it belongs to no surface. */
  readonly surface?: object
  /** The call to cancel if the response closes before the call has finished. */
  call: { cancelUnlessParked(reason: string): void } | undefined
  phase?: Phase | undefined
  /** The number of calls in the request: several in a batch, none in an answer or a notification. */
  weight?: number
  /** Number of bytes in the request's body if the body is long. A long body stays in memory until the call ends. */
  bytes?: number
  /** The caller's share, which this response counts towards. */
  share?: Share | undefined
  /** True if the work continues after the response has closed. */
  isHeld?: boolean
}

/** The refusal of a request: 429 for a limit on one caller, 503 for a limit on all. */
export interface Busy {
  readonly status: 429 | 503
  readonly message: string
}

/** An answer that is about to be sent, and the caller who gets it. */
interface Sending {
  readonly res: ServerResponse
  readonly principal: Principal
  readonly bytes: number
}

/**
 * Number of shares at which empty ones are removed. It is large, because shares are small and most callers come back.
 */
const MANY = 1000

export function isLong(bytes: number): boolean {
  return bytes >= LIMITS.unread.leastBytes
}

/**
 * Counts the requests, streams and bytes that every caller holds, and applies the limits per caller and in total, so
 * that one caller cannot take everything. People and agents have separate totals, because agents must not be able to
 * keep people from looking at calls and deciding on them.
 */
export class Ledger {
  readonly #limits: Limits
  readonly #open = new InFlight<OpenResponse>()
  /** Empty shares are kept, because creating one for every call would cost more. */
  readonly #shares = new Map<string, Share>()
  readonly #all = { agent: new Share(), person: new Share() }
  readonly #watch: Watch

  constructor(limits: Limits) {
    this.#limits = limits
    this.#watch = new Watch(limits, this.#open)
  }

  shareOf({ id, kind }: Principal): Share {
    const known = this.#shares.get(id)
    if (known !== undefined) return known
    if (this.#shares.size >= MANY)
      for (const [other, share] of this.#shares) if (share.isEmpty) this.#shares.delete(other)
    const share = new Share(this.#all[kind])
    this.#shares.set(id, share)
    return share
  }

  /** Counts a new response until it closes. Undefined if it is accepted. */
  add(opened: OpenResponse, phase: Phase, weight = 1): Busy | undefined {
    // If the client disconnected during authentication, its close event has already fired.
    if (opened.res.closed) return GONE
    const busy = this.#enter(opened, phase, weight)
    if (busy !== undefined) return busy
    const number = this.#open.add(opened)
    opened.res.on('close', () => {
      this.#open.remove(number)
      if (opened.isHeld !== true) this.#forget(opened)
      if (!opened.res.writableFinished) opened.call?.cancelUnlessParked('the client disconnected')
      // Frees the request's objects even if something still references the response.
      opened.call = undefined
    })
    return undefined
  }

  /**
   * Keeps counting a request whose work continues after its client disconnected, which happens with legacy clients.
   * Returns the function to call when the work ends.
   */
  hold(opened: OpenResponse): () => void {
    opened.isHeld = true
    return () => {
      opened.isHeld = false
      if (opened.res.closed) this.#forget(opened)
    }
  }

  /** Counts more bytes of a body that is arriving. */
  grow(opened: OpenResponse, bytes: number): Busy | undefined {
    const { share } = opened
    if (share === undefined || opened.res.closed) return GONE
    if (share.bytes + bytes > this.#limits.bodyBytesPerPrincipal) return TOO_LONG_TOGETHER
    share.count('bytes', bytes)
    opened.bytes = (opened.bytes ?? 0) + bytes
    return undefined
  }

  /** Changes the phase. Call this when the body is complete, or when a call turns out to be a stream. */
  become(opened: OpenResponse, phase: Phase, weight = 1): Busy | undefined {
    // A closed response no longer counts.
    if (opened.res.closed) return GONE
    const { phase: before, weight: weighed = 1 } = opened
    this.#leave(opened)
    const busy = this.#enter(opened, phase, weight)
    if (busy !== undefined && before !== undefined) this.#take(opened, before, weighed)
    return busy
  }

  /**
   * Call this before sending an answer. Returns undefined if the answer can be sent; it then counts until the client
   * has read it. An answer that exceeds the limit by itself can be sent only if the caller has no other unread answer.
   */
  send({ res, principal, bytes }: Sending): RpcError | undefined {
    // If the client has disconnected, nothing will be read and its close event has already fired.
    if (!isLong(bytes) || res.closed || res.destroyed) return undefined
    const { unreadBytes, unreadBytesPerPrincipal } = this.#limits
    const share = this.shareOf(principal)
    if (isTooMuch(share.unread, bytes, unreadBytesPerPrincipal))
      return lost(bytes, 'limits.unreadPerPrincipal')
    if (isTooMuch(this.#unread, bytes, unreadBytes)) return lost(bytes, 'limits.unreadTotal')
    share.count('unread', bytes)
    res.once('close', () => share.count('unread', -bytes))
    return undefined
  }

  /** Counts bytes that wait to be sent, until `release` is called. Returns false if they would exceed the limit. */
  keep(principal: Principal, bytes: number): boolean {
    const { unreadBytes, unreadBytesPerPrincipal } = this.#limits
    const share = this.shareOf(principal)
    if (share.unread + bytes > unreadBytesPerPrincipal || this.#unread + bytes > unreadBytes) return false
    share.count('unread', bytes)
    return true
  }

  release(principal: Principal, bytes: number): void {
    this.shareOf(principal).count('unread', -bytes)
  }

  /** Closes requests of revoked callers, and streams of callers whose scope or expiry changed. */
  async recheck(find: (principal: Principal) => Promise<Principal | undefined>): Promise<void> {
    for (const { principal, res, phase, surface } of this.#open.values()) {
      // Requests to the admin API stay open, so that a person who signs out or revokes their own token still gets the
      // answer.
      if (phase === 'call' && surface === undefined) continue
      const now = await find(principal)
      const isOther = describe(now) !== describe(principal)
      if (now === undefined || (isOther && phase === 'stream')) res.destroy()
    }
  }

  /** Closes the responses of a surface that was removed. */
  endAt(surface: object): void {
    for (const opened of this.#open.values()) if (opened.surface === surface) opened.res.destroy()
  }

  close(): void {
    this.#watch.stop()
  }

  get #unread(): number {
    return this.#all.agent.unread + this.#all.person.unread
  }

  #enter(opened: OpenResponse, phase: Phase, weight: number): Busy | undefined {
    opened.share ??= this.shareOf(opened.principal)
    const busy = this.#refuse(opened.share, phase, weight)
    if (busy === undefined) this.#take(opened, phase, weight)
    return busy
  }

  #refuse({ body, call, stream, unread, all }: Share, phase: Phase, weight: number): Busy | undefined {
    const limits = this.#limits
    switch (phase) {
      case 'body':
        return body >= limits.callsPerPrincipal ? TOO_MANY_OF_CALLER : undefined
      case 'call':
        // Answers and cancellations are always accepted, because they end calls.
        if (weight === 0) return undefined
        if (unread >= limits.unreadBytesPerPrincipal) return UNREAD
        if (isTooMuch(all?.call ?? 0, weight, limits.concurrentCalls)) return TOO_MANY
        return isTooMuch(call, weight, limits.callsPerPrincipal) ? TOO_MANY_OF_CALLER : undefined
      case 'stream':
        if ((all?.stream ?? 0) >= limits.streams) return TOO_MANY_STREAMS
        return stream >= limits.streamsPerPrincipal ? TOO_MANY_STREAMS_OF_CALLER : undefined
    }
  }

  #take(opened: OpenResponse, phase: Phase, weight: number): void {
    opened.phase = phase
    opened.weight = weight
    opened.share?.count(phase, phase === 'call' ? weight : 1)
    this.#watch.note(phase === 'stream' ? opened.principal.expiresAt : undefined)
  }

  #leave(opened: OpenResponse): void {
    const { phase, weight = 1, share } = opened
    if (phase === undefined) return
    share?.count(phase, phase === 'call' ? -weight : -1)
    opened.phase = undefined
  }

  #forget(opened: OpenResponse): void {
    this.#leave(opened)
    opened.share?.count('bytes', -(opened.bytes ?? 0))
  }
}

/** True if adding `more` exceeds the limit. Any amount is accepted if nothing else is held. */
function isTooMuch(before: number, more: number, most: number): boolean {
  return before > 0 && before + more > most
}

function describe(principal: Principal | undefined): string {
  return JSON.stringify([principal?.scope, principal?.expiresAt])
}

const GONE: Busy = { status: 503, message: 'the client disconnected' }
const TOO_MANY: Busy = {
  status: 503,
  message: 'too many concurrent requests in total; see limits.concurrentCalls',
}
const TOO_MANY_OF_CALLER: Busy = {
  status: 429,
  message: 'too many concurrent requests from this caller; see limits.callsPerPrincipal',
}
const TOO_LONG_TOGETHER: Busy = {
  status: 429,
  message: "this caller's open requests are too long in total; see limits.bodiesPerPrincipal",
}
const UNREAD: Busy = {
  status: 429,
  message: 'this caller has too many unread answers and must read them first; see limits.unreadPerPrincipal',
}
const TOO_MANY_STREAMS: Busy = { status: 503, message: 'too many open streams in total; see limits.streams' }
const TOO_MANY_STREAMS_OF_CALLER: Busy = {
  status: 429,
  message: 'this caller has too many open streams; see limits.streamsPerPrincipal',
}

/**
 * Creates the error for an answer that cannot be sent. It is not an HTTP error, because clients would then retry a call
 * that was already made.
 */
function lost(bytes: number, limit: string): RpcError {
  return {
    code: RPC.internal,
    message: `The call was made, but its answer of ${bytes} bytes was dropped because too many earlier answers are unread (see ${limit}). Read the earlier answers first, and check what the call did before you repeat it.`,
    data: { code: 'overloaded' },
  }
}
