import type { ServerResponse } from 'node:http'
import { InFlight } from '../base/in-flight.ts'
import type { Limits } from '../config/config.ts'
import { RPC, type RpcError } from '../protocol/messages.ts'
import type { Principal } from '../scope/scope.ts'
import { LIMITS } from './limits.ts'
import { Watch, type Watched } from './watch.ts'

/** What a response is open for: a body that is still coming, calls, which end by themselves, or a stream. */
type Phase = 'body' | 'call' | 'stream'

type Held = 'body' | 'call' | 'stream' | 'bytes' | 'unread'

/** What one caller holds at the moment. */
export class Share {
  /** Requests whose body has not come yet. */
  body = 0
  call = 0
  stream = 0
  /** Of long request bodies whose calls are not over. */
  bytes = 0
  /** Bytes of long answers that were sent and not read. */
  unread = 0
  /** What all callers of the same kind hold. */
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
  /** What it is open at. Absent for what belongs to no surface. */
  readonly surface?: object
  /** What to call off when the response is over before it is finished. */
  call: { cancelUnlessParked(reason: string): void } | undefined
  phase?: Phase | undefined
  /** How many calls it stands for: a batch has more than one, an answer or a notification none. */
  weight?: number
  /** Bytes of a long body, which live as long as the call does. */
  bytes?: number
  /** Whose share it is counted in. */
  share?: Share | undefined
  /** It goes on when the response is over. */
  isHeld?: boolean
}

/** Why there is no room: for this caller, or for anybody. */
export interface Busy {
  readonly status: 429 | 503
  readonly message: string
}

/** An answer, and who is to read it. */
interface Sending {
  readonly res: ServerResponse
  readonly principal: Principal
  readonly bytes: number
}

/** Names are cheap to keep, and who was here comes back; only many of them are gone through. */
const MANY = 1000

export function isLong(bytes: number): boolean {
  return bytes >= LIMITS.unread.leastBytes
}

/**
 * What every caller holds, taken and given back here and nowhere else. Everything is bounded, in all and for each caller:
 * whoever takes all that they may leaves enough for the others. People have room of their own, so that agents cannot keep
 * them from looking and deciding.
 */
export class Ledger {
  readonly #limits: Limits
  readonly #open = new InFlight<OpenResponse>()
  /** A share is kept when it is empty: making it anew for every call would cost more. */
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

  /** Undefined: it may come in, and is counted until it is closed. */
  add(opened: OpenResponse, phase: Phase, weight = 1): Busy | undefined {
    // Who left while we looked who they are closes no more.
    if (opened.res.closed) return GONE
    const busy = this.#enter(opened, phase, weight)
    if (busy !== undefined) return busy
    const number = this.#open.add(opened)
    opened.res.on('close', () => {
      this.#open.remove(number)
      if (opened.isHeld !== true) this.#forget(opened)
      if (!opened.res.writableFinished) opened.call?.cancelUnlessParked('the client went away')
      // What it was called with need not live as long as anybody remembers the response.
      opened.call = undefined
    })
    return undefined
  }

  /**
   * What came in goes on although its client may hang up, as clients of the older era do, and counts until it is over.
   * Returns how to say that it is.
   */
  hold(opened: OpenResponse): () => void {
    opened.isHeld = true
    return () => {
      opened.isHeld = false
      if (opened.res.closed) this.#forget(opened)
    }
  }

  /** More of a body came. */
  grow(opened: OpenResponse, bytes: number): Busy | undefined {
    const { share } = opened
    if (share === undefined || opened.res.closed) return GONE
    if (share.bytes + bytes > this.#limits.bodyBytesPerPrincipal) return TOO_LONG_TOGETHER
    share.count('bytes', bytes)
    opened.bytes = (opened.bytes ?? 0) + bytes
    return undefined
  }

  /** The body is there, or what came as a call turns out to stay open. */
  become(opened: OpenResponse, phase: Phase, weight = 1): Busy | undefined {
    // Whoever is gone has been counted out.
    if (opened.res.closed) return GONE
    const { phase: before, weight: weighed = 1 } = opened
    this.#leave(opened)
    const busy = this.#enter(opened, phase, weight)
    if (busy !== undefined && before !== undefined) this.#take(opened, before, weighed)
    return busy
  }

  /** An answer leaves. Undefined: it is counted until it was read. One that is too much by itself may be sent by itself. */
  send({ res, principal, bytes }: Sending): RpcError | undefined {
    // Who has hung up reads nothing, and closes no more.
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

  /** Counts what waits to be sent with other answers, until it is released; false when there is no room for it. */
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

  /**
   * Ends what belongs to callers that may no longer be here, and streams of those whose scope or whose time is another
   * now.
   */
  async recheck(find: (principal: Principal) => Promise<Principal | undefined>): Promise<void> {
    for (const { principal, res, phase, surface } of this.#open.values()) {
      // Who signs out, or ends a token of their own, is still told that it is done.
      if (phase === 'call' && surface === undefined) continue
      const now = await find(principal)
      const isOther = describe(now) !== describe(principal)
      if (now === undefined || (isOther && phase === 'stream')) res.destroy()
    }
  }

  /** A surface is no longer there. */
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
        return body >= limits.callsPerPrincipal ? TOO_MANY_OF_YOURS : undefined
      case 'call':
        // Answers and cancellations are what ends calls.
        if (weight === 0) return undefined
        if (unread >= limits.unreadBytesPerPrincipal) return UNREAD
        if (isTooMuch(all?.call ?? 0, weight, limits.concurrentCalls)) return TOO_MANY
        return isTooMuch(call, weight, limits.callsPerPrincipal) ? TOO_MANY_OF_YOURS : undefined
      case 'stream':
        if ((all?.stream ?? 0) >= limits.streams) return TOO_MANY_STREAMS
        return stream >= limits.streamsPerPrincipal ? TOO_MANY_STREAMS_OF_YOURS : undefined
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

/** Something that is too much by itself is let through by itself. */
function isTooMuch(before: number, more: number, most: number): boolean {
  return before > 0 && before + more > most
}

function describe(principal: Principal | undefined): string {
  return JSON.stringify([principal?.scope, principal?.expiresAt])
}

const GONE: Busy = { status: 503, message: 'the client went away' }
const TOO_MANY: Busy = { status: 503, message: 'too many requests at once; see limits.concurrentCalls' }
const TOO_MANY_OF_YOURS: Busy = {
  status: 429,
  message: 'too many requests of yours at once; see limits.callsPerPrincipal',
}
const TOO_LONG_TOGETHER: Busy = {
  status: 429,
  message: 'too much in requests of yours at once; see limits.bodiesPerPrincipal',
}
const UNREAD: Busy = {
  status: 429,
  message: 'read the answers that are on their way to you first; see limits.unreadPerPrincipal',
}
const TOO_MANY_STREAMS: Busy = { status: 503, message: 'too many streams; see limits.streams' }
const TOO_MANY_STREAMS_OF_YOURS: Busy = {
  status: 429,
  message: 'too many streams of yours; see limits.streamsPerPrincipal',
}

/** Not with a status that makes clients try again by themselves: the call was made. */
function lost(bytes: number, limit: string): RpcError {
  return {
    code: RPC.internal,
    message: `The call was made, but its answer of ${bytes} bytes is lost: too many earlier ones have not been read yet (see ${limit}). Read those first, and look what the call did before it is repeated.`,
    data: { code: 'overloaded' },
  }
}
