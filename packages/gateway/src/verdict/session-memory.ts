import type { EffectiveHints } from '@hintgate/metadata'
import { addLegs, type LegMark, type SessionLegs } from './session-risk.ts'

interface Remembered {
  legs: SessionLegs
  usedAt: number
}

interface MemoryLimits {
  readonly sessions: number
  /** A session that was not used for so long is over. */
  readonly idleMs: number
}

const NOTHING: SessionLegs = {}

/** Which legs each session has, in memory. */
export class SessionMemory {
  /** Least recently used first. */
  readonly #sessions = new Map<string, Remembered>()
  readonly #limits: MemoryLimits

  constructor(limits: MemoryLimits) {
    this.#limits = limits
  }

  legsOf(session: string, now: number): SessionLegs {
    const found = this.#sessions.get(session)
    return found === undefined || now - found.usedAt > this.#limits.idleMs ? NOTHING : found.legs
  }

  /** A call was answered: what it brought stays with the session. */
  note(session: string, effective: EffectiveHints, call: Pick<LegMark, 'tool' | 'request' | 'at'>): void {
    const before = this.legsOf(session, call.at)
    const legs = addLegs(before, effective, call)
    const found = this.#sessions.get(session)
    if (found !== undefined && legs === found.legs) {
      // Most calls bring nothing new, and then there is nothing to move about either.
      found.usedAt = call.at
      return
    }
    this.#sessions.delete(session)
    this.#sessions.set(session, { legs, usedAt: call.at })
    this.#forgetOldest(call.at)
  }

  /** What is over, from the oldest on, and one more where there are too many. */
  #forgetOldest(now: number): void {
    for (const [session, { usedAt }] of this.#sessions) {
      const isOver = now - usedAt > this.#limits.idleMs
      if (!isOver && this.#sessions.size <= this.#limits.sessions) return
      this.#sessions.delete(session)
    }
  }
}
