import type { ServerConfig } from '../config/config.ts'

/** A session counts as ended after this idle time, because modern clients do not end sessions. */
const IDLE_MS = 30 * 60_000

type Bounds = Pick<ServerConfig, 'sessions' | 'sessionsPerPrincipal'>

interface Use {
  readonly session: string
  readonly caller: string
  readonly now: number
}

interface Room {
  /** The sessions that must lose their connection. */
  readonly over: readonly string[]
  /** The limit that was reached, if there is no room for the requested session. */
  readonly full?: keyof Bounds
}

/**
 * Decides which sessions have a connection of their own (`isolation: "session"`) and which ones lose it. A caller with
 * too many sessions loses one of them. If all callers together have too many, the caller with the most loses one, so
 * that no caller can keep others out.
 */
export class IsolatedSessions {
  readonly #bounds: Bounds
  /** Least recently used first. */
  readonly #sessions = new Map<string, { readonly caller: string; readonly usedAt: number }>()

  constructor(bounds: Bounds) {
    this.#bounds = bounds
  }

  /** Notes that a session is used. `isIdle` tells whether a session's connection has no open requests. */
  use({ session, caller, now }: Use, isIdle: (session: string) => boolean): Room {
    const isNew = !this.#sessions.delete(session)
    const over = this.#findOver(now, isIdle)
    for (const other of over) this.#sessions.delete(other)
    const full = isNew ? this.#findFull(caller) : undefined
    if (full !== undefined) {
      const given = this.#findEvictable(caller, full).find(isIdle)
      if (given === undefined) return { over, full }
      over.push(given)
      this.#sessions.delete(given)
    }
    this.#sessions.set(session, { caller, usedAt: now })
    return { over }
  }

  forget(session: string): void {
    this.#sessions.delete(session)
  }

  #findFull(caller: string): keyof Bounds | undefined {
    if ((this.#countByCaller().get(caller) ?? 0) >= this.#bounds.sessionsPerPrincipal)
      return 'sessionsPerPrincipal'
    return this.#sessions.size >= this.#bounds.sessions ? 'sessions' : undefined
  }

  /** The sessions that may be closed to make room for this caller, in this order. */
  #findEvictable(caller: string, full: keyof Bounds): string[] {
    const counts = this.#countByCaller()
    const countOf = (other: string): number => counts.get(other) ?? 0
    return [...this.#sessions]
      .map(([session, { caller: owner }]) => ({ session, owner }))
      .filter(({ owner }) => owner === caller || (full === 'sessions' && countOf(owner) > countOf(caller)))
      .sort((a, b) => countOf(b.owner) - countOf(a.owner))
      .map(({ session }) => session)
  }

  #countByCaller(): ReadonlyMap<string, number> {
    const counts = new Map<string, number>()
    for (const { caller } of this.#sessions.values()) counts.set(caller, (counts.get(caller) ?? 0) + 1)
    return counts
  }

  #findOver(now: number, isIdle: (session: string) => boolean): string[] {
    const over: string[] = []
    for (const [session, { usedAt }] of this.#sessions) {
      if (now - usedAt <= IDLE_MS) break
      if (isIdle(session)) over.push(session)
    }
    return over
  }
}
