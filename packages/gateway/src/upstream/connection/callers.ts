/** The owner of a request: a principal in a session. */
export interface Owner {
  readonly principal: string
  readonly session: string
}

/**
 * How long after a call's answer the server can still send messages about the call. Most follow immediately, but log
 * lines may be late.
 */
const ENDED_MS = 30_000

interface Ended extends Owner {
  at: number
}

/**
 * The callers that recently used one connection. On a pipe, a question or log line does not say which call it belongs
 * to, so it is passed on only if just one caller is possible.
 */
export class Callers {
  /** Each session's last answered request, except the most recent of all, which is in `#last`. */
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
   * Returns the only caller that a message can belong to, given the open requests; undefined if there are several or
   * none. For answered requests only the principal matters, because a client that opens one session after another is
   * still one caller.
   */
  find(underWay: readonly Owner[], now: number): Owner | undefined {
    const [first, ...others] = underWay
    if (first === undefined) return this.#findLast(now)
    const isOne =
      others.every(other => isSame(other, first)) &&
      this.#recent(now).every(({ principal }) => principal === first.principal)
    return isOne ? first : undefined
  }

  /**
   * Finds the caller when no requests are open: the last one, if there was no other or the others have been inactive
   * for a long time.
   */
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
