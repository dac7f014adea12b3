import type { ServerResponse } from 'node:http'
import type { Limits } from '../config/config.ts'
import { RPC, type RpcError } from '../protocol/messages.ts'
import type { Principal } from '../scope/scope.ts'
import type { Share, Shares } from './shares.ts'

/** Shorter ones are bounded by the number of calls, and most are read before anybody could count them. */
const LONG_BYTES = 64 * 1024

export function isLong(bytes: number): boolean {
  return bytes >= LONG_BYTES
}

/** An answer, and who is to read it. */
interface Sending {
  readonly res: ServerResponse
  readonly principal: Principal
  readonly bytes: number
}

/** Long answers that are on their way: what nobody reads stays in our memory, so there is an end to it. */
export class Unread {
  readonly #shares: Shares
  readonly #limits: Pick<Limits, 'unreadBytes' | 'unreadBytesPerPrincipal'>
  #total = 0

  constructor(limits: Pick<Limits, 'unreadBytes' | 'unreadBytesPerPrincipal'>, shares: Shares) {
    this.#limits = limits
    this.#shares = shares
  }

  /** Undefined: it may be sent, and is counted until it was read. One that is too much by itself may be sent by itself. */
  add({ res, principal, bytes }: Sending): RpcError | undefined {
    // Who has hung up reads nothing, and closes no more.
    if (!isLong(bytes) || res.closed || res.destroyed) return undefined
    const { unreadBytes, unreadBytesPerPrincipal } = this.#limits
    const share = this.#shares.of(principal.id)
    if (share.unread > 0 && share.unread + bytes > unreadBytesPerPrincipal)
      return tooMuch(bytes, 'limits.unreadPerPrincipal')
    if (this.#total > 0 && this.#total + bytes > unreadBytes) return tooMuch(bytes, 'limits.unreadTotal')
    this.#count(share, bytes)
    res.once('close', () => this.#count(share, -bytes))
    return undefined
  }

  /** Counts what waits to be sent with other answers, until it is released; false when there is no room for it. */
  hold(principal: Principal, bytes: number): boolean {
    const { unreadBytes, unreadBytesPerPrincipal } = this.#limits
    const share = this.#shares.of(principal.id)
    if (share.unread + bytes > unreadBytesPerPrincipal || this.#total + bytes > unreadBytes) return false
    this.#count(share, bytes)
    return true
  }

  release(principal: Principal, bytes: number): void {
    if (bytes > 0) this.#count(this.#shares.of(principal.id), -bytes)
  }

  #count(share: Share, bytes: number): void {
    share.unread += bytes
    this.#total += bytes
  }
}

/** Not with a status that makes clients try again by themselves: the call was made. */
function tooMuch(bytes: number, limit: string): RpcError {
  return {
    code: RPC.internal,
    message: `The call was made, but its answer of ${bytes} bytes is lost: too many earlier ones have not been read yet (see ${limit}). Read those first, and look what the call did before it is repeated.`,
    data: { code: 'overloaded' },
  }
}
