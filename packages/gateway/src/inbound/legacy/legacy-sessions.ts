import { randomUUID } from 'node:crypto'
import type { Ledger } from '../../admission/ledger.ts'
import { collectGarbage } from '../../base/collect-garbage.ts'
import type { Limits } from '../../config/config.ts'
import type { Surface } from '../../exchange/surface.ts'
import type { Stamps } from '../../replicas/stamps.ts'
import type { Principal } from '../../scope/scope.ts'
import type { LegacySession } from './legacy-session.ts'

const SWEEP_MS = 1000
/** After this many idle sessions have ended, freeing their memory is worth the pause of a garbage collection. */
const MANY = 1000

/** All sessions by id. Their number and idle time are limited. */
export class LegacySessions {
  /** Counts the unread answers of all sessions. */
  readonly ledger: Ledger
  readonly #limits: Limits
  readonly #stamps: Stamps
  readonly #sessions = new Map<string, LegacySession>()
  readonly #perPrincipal = new Map<string, number>()
  readonly #sweep: NodeJS.Timeout
  /** Number of idle sessions that were ended since the last garbage collection. */
  #ended = 0

  constructor(limits: Limits, stamps: Stamps, ledger: Ledger) {
    this.ledger = ledger
    this.#limits = limits
    this.#stamps = stamps
    this.#sweep = setInterval(() => this.#endIdle(Date.now()), Math.min(SWEEP_MS, limits.sessionIdleMs))
    this.#sweep.unref()
  }

  /** Creates a session id that tells the other replicas which replica has the session. */
  createId(): string {
    return this.#stamps.stamp(randomUUID())
  }

  find(id: string): LegacySession | undefined {
    return this.#sessions.get(id)
  }

  /** Adds a session. Returns false if the total limit or the caller's limit is reached. */
  add(session: LegacySession): boolean {
    if (this.#sessions.size >= this.#limits.sessions) return false
    const own = this.#perPrincipal.get(session.principal.id) ?? 0
    if (own >= this.#limits.sessionsPerPrincipal) return false
    this.#perPrincipal.set(session.principal.id, own + 1)
    this.#sessions.set(session.id, session)
    return true
  }

  end(id: string): void {
    const session = this.#sessions.get(id)
    if (session === undefined) return
    this.#sessions.delete(id)
    const left = (this.#perPrincipal.get(session.principal.id) ?? 1) - 1
    if (left > 0) this.#perPrincipal.set(session.principal.id, left)
    else this.#perPrincipal.delete(session.principal.id)
    session.close()
  }

  /**
   * Ends the sessions of callers that have lost their access. The other sessions continue with their callers' current
   * scope.
   */
  async recheck(find: (principal: Principal) => Promise<Principal | undefined>): Promise<void> {
    for (const session of [...this.#sessions.values()]) {
      const principal = await find(session.principal)
      if (principal === undefined) this.end(session.id)
      else session.principal = principal
    }
  }

  /** Ends the sessions at a surface that is being removed. */
  endAt(surface: Surface): void {
    for (const session of [...this.#sessions.values()]) if (session.surface === surface) this.end(session.id)
  }

  /** Ends the streams that would otherwise stay open indefinitely. Open calls continue. */
  endStreams(): void {
    for (const session of this.#sessions.values()) session.endStandalone()
  }

  close(): void {
    clearInterval(this.#sweep)
    for (const id of [...this.#sessions.keys()]) this.end(id)
  }

  #endIdle(now: number): void {
    const before = this.#ended
    for (const session of this.#sessions.values()) {
      if (!session.isQuiet || now - session.lastUsedAt <= this.#limits.sessionIdleMs) continue
      this.end(session.id)
      this.#ended += 1
    }
    // Waits for a sweep that ends no session, so that memory is freed only once after many have ended.
    if (this.#ended < MANY || this.#ended > before) return
    this.#ended = 0
    collectGarbage()
  }
}
