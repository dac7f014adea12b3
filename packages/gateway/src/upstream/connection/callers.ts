/** The owner of a request: a principal and its session. */
export interface Owner {
  readonly principal: string
  readonly session: string
}

/** How long messages may concern a call after its answer. Most follow immediately, but log lines may be late. */
const ENDED_MS = 30_000

interface Ended extends Owner {
  at: number
}

/**
 * The callers that recently used one connection. On a pipe, a question or log line names no call. It is passed on only
 * if it can concern just one caller.
 */
export class Callers {
  /** The last answered request of each session, except for the most recent one, which is in `#last`. */
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
   * The only caller that a message can concern, given these open requests. Answered requests count by principal: a
   * client that opens several sessions in turn is one caller.
   */
  find(underWay: readonly Owner[], now: number): Owner | undefined {
    const [first, ...others] = underWay
    if (first === undefined) return this.#findLast(now)
    const isOne =
      others.every(other => isSame(other, first)) &&
      this.#recent(now).every(({ principal }) => principal === first.principal)
    return isOne ? first : undefined
  }

  /** Without open requests: the last caller, if there was never another or all others have long been inactive. */
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
