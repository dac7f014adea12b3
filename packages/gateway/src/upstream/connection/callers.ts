/** Whose request it was: a credential, and the session in which it was used. */
export interface Owner {
  readonly principal: string
  readonly session: string
}

/** A server that says something after its answer mostly does so at once; a log may be written late. */
const ENDED_MS = 30_000

interface Ended extends Owner {
  at: number
}

/**
 * Who has used one connection, and may still be meant by what the server says of its own accord. On a pipe nothing says
 * to which call a question or a log line belongs; what may be about one caller is told to no other.
 */
export class Callers {
  /** By session, the last request that was answered, without the very last. */
  readonly #ended = new Map<string, Ended>()
  #last: Ended | undefined
  #isShared = false
  #pruneAt = 64

  ended({ principal, session }: Owner, now: number): void {
    const last = this.#last
    if (last?.principal === principal && last.session === session) {
      last.at = now
      return
    }
    if (last !== undefined) {
      this.#isShared ||= last.principal !== principal
      this.#ended.set(`${last.principal}\n${last.session}`, last)
      if (this.#ended.size > this.#pruneAt) this.#prune(now)
    }
    this.#last = { principal, session, at: now }
  }

  /**
   * The one caller that the server can mean, with requests of these under way. Requests that were answered count by
   * credential: a client that opens one session after the other is one caller.
   */
  find(underWay: readonly Owner[], now: number): Owner | undefined {
    const [first, ...others] = underWay
    if (first === undefined) return this.#findLast(now)
    const isOne =
      others.every(other => isSame(other, first)) &&
      this.#recent(now).every(({ principal }) => principal === first.principal)
    return isOne ? first : undefined
  }

  /** Nothing is under way: whoever was the last, if nobody else was there before or all others are long gone. */
  #findLast(now: number): Owner | undefined {
    const last = this.#last
    if (last === undefined) return undefined
    const recent = this.#recent(now)
    if (recent.length === 0) return this.#isShared ? undefined : last
    return recent.every(other => isSame(other, last)) ? last : undefined
  }

  #recent(now: number): Ended[] {
    const all = this.#last === undefined ? [] : [this.#last]
    return [...all, ...this.#ended.values()].filter(({ at }) => now - at < ENDED_MS)
  }

  #prune(now: number): void {
    for (const [key, { at }] of this.#ended) if (now - at >= ENDED_MS) this.#ended.delete(key)
    this.#pruneAt = Math.max(64, this.#ended.size * 2)
  }
}

function isSame(a: Owner, b: Owner): boolean {
  return a.principal === b.principal && a.session === b.session
}
