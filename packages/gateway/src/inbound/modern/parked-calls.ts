import { randomBytes } from 'node:crypto'
import { LIMITS } from '../../admission/limits.ts'
import type { Limits } from '../../config/config.ts'
import type { Caller } from '../../exchange/exchange.ts'
import type { Surface } from '../../exchange/surface.ts'
import { type Json, RPC, type RpcError } from '../../protocol/messages.ts'
import { writeSorted } from '../../protocol/parse-json.ts'
import { NO_STAMPS, type Stamps } from '../../replicas/stamps.ts'
import type { Principal } from '../../scope/scope.ts'
import { type ModernCall, STATE_PREFIX } from './modern-call.ts'

interface Entry {
  readonly call: ModernCall
  readonly surface: Surface
  readonly timer: NodeJS.Timeout
  /** The total length of the call's parameters, its questions, and its answer if that has already arrived. */
  readonly length: number
}

/** A call that a client repeats with answers. */
interface Repeated {
  readonly caller: Caller
  readonly method: string
  readonly params: Json | undefined
  readonly surface: Surface
}

type ParkingLimits = Pick<Limits, 'parkedCalls' | 'parkedPerPrincipal' | 'parkedMs' | 'bodyBytesPerPrincipal'>

/**
 * Calls that wait for their clients to return with answers. Only the caller that made a call can continue it, by
 * repeating it.
 */
export class ParkedCalls {
  readonly #entries = new Map<string, Entry>()
  readonly #limits: ParkingLimits
  readonly #stamps: Stamps

  constructor(limits: ParkingLimits, stamps: Stamps = NO_STAMPS) {
    this.#limits = limits
    this.#stamps = stamps
  }

  /** Creates a request state for a call that is about to be parked. */
  createState(): string {
    return this.#stamps.stamp(`${STATE_PREFIX}${randomBytes(24).toString('base64url')}`)
  }

  park(call: ModernCall, surface: Surface): void {
    this.#forget(call.state)
    const { length } = call
    this.#makeRoom(call.caller.principal.id, { calls: 1, length })
    const [oldest] = this.#entries.values()
    if (this.#entries.size >= this.#limits.parkedCalls && oldest !== undefined) this.#expire(oldest.call)
    const timer = setTimeout(() => this.#expire(call), this.#limits.parkedMs)
    timer.unref()
    this.#entries.set(call.state, { call, surface, timer, length })
  }

  /** Counts the growth of a call. If there is too little room, the caller's oldest calls expire. */
  grow(call: ModernCall, length: number): void {
    const entry = this.#entries.get(call.state)
    if (entry === undefined) return
    this.#entries.set(call.state, { ...entry, length: entry.length + length })
    this.#makeRoom(call.caller.principal.id, { calls: 0, length: 0 })
  }

  /**
   * Removes and returns the parked call. Returns undefined if the state is unknown or expired, or belongs to another
   * caller, call or surface.
   */
  take(state: string, { caller, method, params, surface }: Repeated): ModernCall | undefined {
    const entry = this.#entries.get(state)
    if (entry === undefined || entry.surface !== surface) return undefined
    const { call } = entry
    if (call.caller.principal.id !== caller.principal.id || call.method !== method) return undefined
    if (digest(call.params) !== digest(params)) return undefined
    // An answer is not accepted if the caller's scope has changed, because the call was checked under the old scope.
    if (JSON.stringify(call.caller.principal.scope) !== JSON.stringify(caller.principal.scope))
      return undefined
    this.#forget(state)
    return call
  }

  /** Cancels the parked calls of callers that have lost their access. */
  async recheck(find: (principal: Principal) => Promise<Principal | undefined>): Promise<void> {
    for (const { call } of [...this.#entries.values()]) {
      if ((await find(call.caller.principal)) === undefined) this.#expire(call)
    }
  }

  close(): void {
    for (const { call } of [...this.#entries.values()]) this.#expire(call)
  }

  /** Expires the caller's oldest calls. Otherwise, clients that never return would prevent later questions. */
  #makeRoom(principal: string, more: { readonly calls: number; readonly length: number }): void {
    const { parkedPerPrincipal, bodyBytesPerPrincipal } = this.#limits
    const most = bodyBytesPerPrincipal * LIMITS.bodies.parkedPart
    const own = this.#listOf(principal)
    let sum = own.reduce((total, entry) => total + entry.length, more.length)
    // One call on its own is allowed to exceed the limit on length.
    while (own.length + more.calls > 1 && (own.length + more.calls > parkedPerPrincipal || sum > most)) {
      const oldest = own.shift()
      if (oldest === undefined) return
      sum -= oldest.length
      this.#expire(oldest.call)
    }
  }

  #listOf(principal: string): Entry[] {
    return [...this.#entries.values()].filter(({ call }) => call.caller.principal.id === principal)
  }

  #expire(call: ModernCall): void {
    this.#forget(call.state)
    call.cancel('the client did not return with an answer in time')
  }

  #forget(state: string): void {
    const entry = this.#entries.get(state)
    clearTimeout(entry?.timer)
    this.#entries.delete(state)
  }
}

/**
 * Returns a digest of the parts that must be the same in a repeated call: everything except the answers, the state and
 * the envelope.
 */
function digest(params: Json | undefined): string {
  const { inputResponses: _responses, requestState: _state, _meta, ...rest } = params ?? {}
  return writeSorted(rest)
}

export const LOST_STATE: RpcError = {
  code: RPC.invalidParams,
  message:
    'this request state is not known here: it expired, was already used, or belongs to another call. Repeat the call without it',
  data: { reason: 'invalid_request_state' },
}
