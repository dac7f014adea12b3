import type { ServerResponse } from 'node:http'
import { InFlight } from '../base/in-flight.ts'
import type { Limits } from '../config/config.ts'
import type { Principal } from '../scope/scope.ts'
import { ExpiryWatch } from './expiry-watch.ts'
import { type Share, Shares } from './shares.ts'
import { StandstillWatch } from './standstill-watch.ts'

/** What a response is open for: a body that is still coming, calls, which end by themselves, or a stream. */
type Phase = 'body' | 'call' | 'stream'

/** A response that is not finished. */
export interface OpenResponse {
  readonly res: ServerResponse
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
  /** All of the body has come, and waits to be read. */
  isWhole?: boolean
  /** Says that the body did not come. */
  onLate?: ((res: ServerResponse) => void) | undefined
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

interface Wish {
  readonly phase: Phase
  readonly weight: number
  readonly kind: Principal['kind']
}

type OpenLimits = Pick<
  Limits,
  | 'concurrentCalls'
  | 'callsPerPrincipal'
  | 'streams'
  | 'streamsPerPrincipal'
  | 'bodyMs'
  | 'bodyBytesPerPrincipal'
  | 'unreadMs'
  | 'unreadBytesPerPrincipal'
>

/**
 * Responses that are not finished. Everything is bounded, in all and for each caller: whoever takes all that they may
 * leaves enough for the others. People have room of their own, so that agents cannot keep them from looking and deciding.
 */
export class OpenResponses {
  readonly #open = new InFlight<OpenResponse>()
  readonly #shares: Shares
  readonly #limits: OpenLimits
  readonly #watch: StandstillWatch
  readonly #expiry = new ExpiryWatch(() => this.#open.values())
  readonly #streams = { agent: 0, person: 0 }
  readonly #calls = { agent: 0, person: 0 }

  constructor(limits: OpenLimits, shares: Shares = new Shares()) {
    this.#limits = limits
    this.#shares = shares
    this.#watch = new StandstillWatch(limits, () => this.#open.values())
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
    share.bytes += bytes
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
    if (busy !== undefined && before !== undefined) this.#count(opened, before, weighed)
    return busy
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
    this.#expiry.stop()
  }

  #enter(opened: OpenResponse, phase: Phase, weight: number): Busy | undefined {
    opened.share ??= this.#shares.of(opened.principal.id)
    const busy = this.#refuse(opened.share, { phase, weight, kind: opened.principal.kind })
    if (busy === undefined) this.#count(opened, phase, weight)
    return busy
  }

  #refuse(share: Share, { phase, weight, kind }: Wish): Busy | undefined {
    const limits = this.#limits
    switch (phase) {
      case 'body':
        return share.body >= limits.callsPerPrincipal ? TOO_MANY_OF_YOURS : undefined
      case 'call':
        // Answers and cancellations are what ends calls.
        if (weight === 0) return undefined
        if (share.unread >= limits.unreadBytesPerPrincipal) return UNREAD
        // Something that is too much by itself is let through by itself.
        if (this.#calls[kind] > 0 && this.#calls[kind] + weight > limits.concurrentCalls) return TOO_MANY
        return share.call > 0 && share.call + weight > limits.callsPerPrincipal
          ? TOO_MANY_OF_YOURS
          : undefined
      case 'stream':
        if (this.#streams[kind] >= limits.streams) return TOO_MANY_STREAMS
        return share.stream >= limits.streamsPerPrincipal ? TOO_MANY_STREAMS_OF_YOURS : undefined
    }
  }

  #count(opened: OpenResponse, phase: Phase, weight: number): void {
    opened.phase = phase
    opened.weight = weight
    this.#add(opened, 1)
    const { expiresAt } = opened.principal
    if (phase === 'stream' && expiresAt !== undefined) this.#expiry.note(expiresAt)
  }

  #leave(opened: OpenResponse): void {
    this.#add(opened, -1)
    opened.phase = undefined
  }

  #forget(opened: OpenResponse): void {
    this.#leave(opened)
    if (opened.share !== undefined) opened.share.bytes -= opened.bytes ?? 0
  }

  #add({ phase, weight = 1, principal, share }: OpenResponse, sign: 1 | -1): void {
    if (phase === undefined || share === undefined) return
    if (phase === 'call') {
      share.call += sign * weight
      this.#calls[principal.kind] += sign * weight
    } else if (phase === 'stream') {
      share.stream += sign
      this.#streams[principal.kind] += sign
    } else share.body += sign
  }
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
