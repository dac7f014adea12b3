import type { ServerConfig } from '../config/config.ts'

/** One that was not used for so long is over: a modern client never says so. */
const IDLE_MS = 30 * 60_000

type Bounds = Pick<ServerConfig, 'sessions' | 'sessionsPerPrincipal'>

interface Use {
  readonly session: string
  /** Whose it is. */
  readonly caller: string
  readonly now: number
}

interface Room {
  /** Sessions whose connection is to end. */
  readonly over: readonly string[]
  /** The bound that leaves no room for the one that was asked about. */
  readonly full?: keyof Bounds
}

/**
 * Which sessions have a connection to themselves (`isolation: "session"`), and which of them are to give it up. A caller
 * with too many gives up its own. When there are too many of all callers together, whoever has the most gives up one: nobody
 * can keep others out by having many.
 */
export class IsolatedSessions {
  readonly #bounds: Bounds
  /** Least recently used first. */
  readonly #sessions = new Map<string, { readonly caller: string; readonly usedAt: number }>()

  constructor(bounds: Bounds) {
    this.#bounds = bounds
  }

  /** A session is about to be used. `isIdle`: its connection has nothing to do. */
  use({ session, caller, now }: Use, isIdle: (session: string) => boolean): Room {
    const isNew = !this.#sessions.delete(session)
    const over = this.#findOver(now, isIdle)
    for (const other of over) this.#sessions.delete(other)
    const full = isNew ? this.#findFull(caller) : undefined
    if (full !== undefined) {
      const given = this.#findGivers(caller, full).find(isIdle)
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

  /** The sessions that are to go before this caller gets another one, the first ones first. */
  #findGivers(caller: string, full: keyof Bounds): string[] {
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
