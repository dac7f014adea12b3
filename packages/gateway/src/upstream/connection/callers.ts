import { LIMITS } from '../../admission/limits.ts'
import type { Id } from '../../protocol/messages.ts'

/** Whose request it was: a credential, and the session in which it was used. */
export interface Owner {
  readonly principal: string
  readonly session: string
}

/** A server that says something after its answer mostly does so at once; a log may be written late. */
const ENDED_MS = 30_000
/** A server need not obey when a call is called off, and rarely says that it did: it may go on, and ask, for long. */
const CALLED_OFF_MS = 5 * 60_000
/** More calls than this that were called off are not told apart. */
const MOST_CALLED_OFF = LIMITS.questions.ofServer.count
/** Answers that may come late. Nobody has to be found for these, so that there may be more of them. */
const MOST_UNANSWERED = 10 * MOST_CALLED_OFF

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
  readonly #calledOff = new Map<Id, Owner & { readonly until: number }>()
  /** Of those that were called off, whoever they belonged to, and who is to know of the answer. */
  readonly #unanswered = new Map<Id, (() => void) | undefined>()
  #last: Ended | undefined
  #isShared = false
  #pruneAt = 64
  #unclearUntil = 0

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

  /** Without an owner it was our own housekeeping. */
  calledOff(id: Id, owner: Owner | undefined, now: number): void {
    this.#expect(id)
    if (owner === undefined) return
    const [oldest] = this.#calledOff
    if (this.#calledOff.size >= MOST_CALLED_OFF && oldest !== undefined) {
      this.#unclearUntil = Math.max(this.#unclearUntil, oldest[1].until)
      this.#calledOff.delete(oldest[0])
    }
    this.#calledOff.set(id, { ...owner, until: now + CALLED_OFF_MS })
    this.ended(owner, now)
  }

  /** The server answered after all; false when there was nothing to answer. */
  answered(id: Id, now: number): boolean {
    const owner = this.#calledOff.get(id)
    this.#calledOff.delete(id)
    if (owner !== undefined) this.ended(owner, now)
    return this.#letGoOf(id)
  }

  /** Calls back when one that was called off is answered: at once, where it was. */
  whenAnswered(id: Id, letGo: () => void): void {
    if (this.#unanswered.has(id)) this.#unanswered.set(id, letGo)
    else letGo()
  }

  /** Nobody answers any more. */
  letGoOfAll(): void {
    for (const id of this.#unanswered.keys()) this.#letGoOf(id)
  }

  #expect(id: Id): void {
    const [oldest] = this.#unanswered.keys()
    if (this.#unanswered.size >= MOST_UNANSWERED && oldest !== undefined) this.#letGoOf(oldest)
    this.#unanswered.set(id, undefined)
  }

  #letGoOf(id: Id): boolean {
    const letGo = this.#unanswered.get(id)
    const wasAwaited = this.#unanswered.delete(id)
    letGo?.()
    return wasAwaited
  }

  /**
   * The one caller that the server can mean, with these requests under way. Requests that were answered count by
   * credential: a client that opens one session after the other is one caller.
   */
  find(underWay: readonly Owner[], now: number): Owner | undefined {
    if (now < this.#unclearUntil) return undefined
    const [first, ...others] = [...underWay, ...this.#openAfterAll(now)]
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

  #openAfterAll(now: number): Owner[] {
    for (const [id, { until }] of this.#calledOff) {
      if (until > now) break
      this.#calledOff.delete(id)
    }
    return [...this.#calledOff.values()]
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
