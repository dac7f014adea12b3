import type { ServerConfig } from '../config/config.ts'

/** After this idle time, a session counts as ended. Modern clients do not announce the end of a session. */
const IDLE_MS = 30 * 60_000

type Bounds = Pick<ServerConfig, 'sessions' | 'sessionsPerPrincipal'>

interface Use {
  readonly session: string
  readonly caller: string
  readonly now: number
}

interface Room {
  /** Sessions whose connections must be closed. */
  readonly over: readonly string[]
  /** The limit that was reached if there is no room for the session. */
  readonly full?: keyof Bounds
}

/**
 * Decides which sessions have their own connection (`isolation: "session"`) and which must give theirs up. A caller
 * with too many sessions loses one of them. If there are too many in total, the caller with the most loses one, so no
 * caller can shut others out.
 */
export class IsolatedSessions {
  readonly #bounds: Bounds
  /** Ordered by last use, oldest first. */
  readonly #sessions = new Map<string, { readonly caller: string; readonly usedAt: number }>()

  constructor(bounds: Bounds) {
    this.#bounds = bounds
  }

  /** Records that a session is used. `isIdle` returns true if a session's connection has no open requests. */
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

  /** Returns the sessions that can be closed to make room for this caller, in the order in which to close them. */
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
