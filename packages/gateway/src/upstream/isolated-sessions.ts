/** Sessions of one caller that have a process of their own at the same time, by server. */
const MOST_PER_CALLER = 32
/** One that was not used for so long is over: a modern client never says so. */
const IDLE_MS = 30 * 60_000

interface Room {
  /** Sessions whose connection is to end. */
  readonly over: readonly string[]
  /** Whether there is room for the one that was asked about. */
  readonly hasRoom: boolean
}

/**
 * Which sessions have a connection to themselves (`isolation: "session"`), and which of them are to give it up. A caller
 * who names more and more sessions gives up its own, never somebody else's.
 */
export class IsolatedSessions {
  /** Least recently used first. */
  readonly #usedAt = new Map<string, number>()

  /** A session is about to be used. `isIdle`: its connection has nothing to do. */
  use(session: string, now: number, isIdle: (session: string) => boolean): Room {
    const isNew = !this.#usedAt.has(session)
    this.#usedAt.delete(session)
    const over = this.#findOver(now, isIdle)
    for (const other of over) this.#usedAt.delete(other)
    if (isNew) {
      const own = [...this.#usedAt.keys()].filter(other => callerOf(other) === callerOf(session))
      const surplus = own.length - MOST_PER_CALLER + 1
      const ended = own.filter(isIdle).slice(0, Math.max(0, surplus))
      if (ended.length < surplus) return { over, hasRoom: false }
      over.push(...ended)
      for (const other of ended) this.#usedAt.delete(other)
    }
    this.#usedAt.set(session, now)
    return { over, hasRoom: true }
  }

  forget(session: string): void {
    this.#usedAt.delete(session)
  }

  #findOver(now: number, isIdle: (session: string) => boolean): string[] {
    const over: string[] = []
    for (const [session, at] of this.#usedAt) {
      if (now - at <= IDLE_MS) break
      if (isIdle(session)) over.push(session)
    }
    return over
  }
}

/** Named sessions begin with who named them (doors/session-name.ts); those of older clients are counted elsewhere. */
function callerOf(session: string): string {
  const end = session.indexOf('/')
  return end < 0 ? session : session.slice(0, end)
}
