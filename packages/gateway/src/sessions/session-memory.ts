import {
  addRiskFactors,
  mergeRiskFactors,
  type RiskFactorMark,
  type RiskyTool,
  riskFactorsBroughtBy,
  type SessionRiskFactors,
} from '@hintgate/metadata'
import type { SessionStore, StoredSession } from '../store/session-store.ts'

interface Remembered {
  readonly principal: string
  riskFactors: SessionRiskFactors
  usedAt: number
  /** The time of the last use that the store knows. */
  savedAt: number
  /** The value of `#age` when this session was read from the store. */
  readonly age: number
}

interface MemoryOptions {
  readonly sessions: number
  /** A session that was idle for this long has ended. */
  readonly idleMs: number
  readonly store: SessionStore
  /** Other processes may add risk factors to the same sessions without a notification. */
  readonly isShared: boolean
  /** Called for background errors. */
  readonly onError: (error: unknown) => void
  readonly onRiskFactors?: ((session: SessionName, riskFactors: SessionRiskFactors) => void) | undefined
}

export interface SessionName {
  readonly session: string
  readonly principal: string
}

const NOTHING: SessionRiskFactors = {}
/**
 * Minimum time between writes of a session's last use. Every use keeps a session alive, but a write for each would cost
 * too much.
 */
const SAVE_USE_MS = 60_000

/** The risk factors of each session. The store has all of them; this class caches recent ones. */
export class SessionMemory {
  /** Least recently changed first. */
  readonly #sessions = new Map<string, Remembered>()
  readonly #options: MemoryOptions
  #age = 0

  constructor(options: MemoryOptions) {
    this.#options = options
  }

  /**
   * Await this before reading risk factors; usually there is nothing to wait for. If other processes also write, they
   * are read again for a tool that brings risk factors itself, because the session may have gained the others in
   * another process.
   */
  ready(name: SessionName, now: number, tool?: RiskyTool): undefined | Promise<void> {
    if (this.#find(name.session) === undefined) return this.#load(name, now)
    if (!this.#options.isShared) return undefined
    const isJudged = tool === undefined || Object.keys(riskFactorsBroughtBy(tool)).length > 0
    return isJudged ? this.#refresh(name, now) : undefined
  }

  /** Also returns entries from before the last `forget`, so that a running decision does not lose them. */
  riskFactorsOf(session: string, now: number): SessionRiskFactors {
    const found = this.#sessions.get(session)
    return found === undefined || this.#isOver(found, now) ? NOTHING : found.riskFactors
  }

  /** Call this when a call has been answered. Its risk factors are stored once the promise resolves. */
  note(
    name: SessionName,
    effective: RiskyTool,
    call: Pick<RiskFactorMark, 'tool' | 'request' | 'at'>,
  ): undefined | Promise<void> {
    const found = this.#find(name.session)
    if (found === undefined) return this.#load(name, call.at).then(() => this.note(name, effective, call))
    const before = this.riskFactorsOf(name.session, call.at)
    const riskFactors = addRiskFactors(before, effective, call)
    if (riskFactors !== found.riskFactors) {
      this.#options.onRiskFactors?.(name, riskFactors)
      return this.#change(name.session, { ...found, riskFactors, usedAt: call.at })
    }
    // Most calls bring no new risk factor; the order of sessions then stays the same.
    found.usedAt = call.at
    if (call.at - found.savedAt >= SAVE_USE_MS) this.#save(name.session, found).catch(this.#options.onError)
    return undefined
  }

  /** Called when a session may have been reset: every session is read from the store again at its next use. */
  forget(): void {
    this.#age += 1
  }

  #find(session: string): Remembered | undefined {
    const found = this.#sessions.get(session)
    return found?.age === this.#age ? found : undefined
  }

  async #load({ session, principal }: SessionName, now: number): Promise<void> {
    const age = this.#age
    const stored = await this.#options.store.find(session)
    if (this.#find(session) !== undefined) return
    const loaded = stored === undefined ? undefined : toRemembered(stored, age)
    const isOver = loaded === undefined || this.#isOver(loaded, now)
    this.#keep(session, isOver ? { principal, riskFactors: NOTHING, usedAt: now, savedAt: now, age } : loaded)
    this.#forgetOldest(now)
  }

  async #refresh(name: SessionName, now: number): Promise<void> {
    const { session } = name
    const age = this.#age
    const stored = await this.#options.store.find(session)
    const found = this.#find(session)
    if (found === undefined) return this.#load(name, now)
    if (stored === undefined) return
    const others = toRemembered(stored, age)
    if (this.#isOver(others, now)) return
    const own = this.#isOver(found, now) ? NOTHING : found.riskFactors
    found.riskFactors = mergeRiskFactors(others.riskFactors, own)
    found.usedAt = Math.max(found.usedAt, others.usedAt)
  }

  async #change(session: string, remembered: Remembered): Promise<void> {
    this.#keep(session, remembered)
    await this.#save(session, remembered)
  }

  #keep(session: string, remembered: Remembered): void {
    this.#sessions.delete(session)
    this.#sessions.set(session, remembered)
  }

  #save(id: string, remembered: Remembered): Promise<void> {
    const { principal, riskFactors, usedAt } = remembered
    remembered.savedAt = usedAt
    const { store, idleMs } = this.#options
    return store.save({ id, principal, riskFactors: JSON.stringify(riskFactors), usedAt }, usedAt - idleMs)
  }

  #isOver({ usedAt }: Remembered, now: number): boolean {
    return now - usedAt > this.#options.idleMs
  }

  /** Drops the sessions at the front that have ended, and others while there are too many. */
  #forgetOldest(now: number): void {
    for (const [session, found] of this.#sessions) {
      if (!this.#isOver(found, now) && this.#sessions.size <= this.#options.sessions) return
      this.#sessions.delete(session)
    }
  }
}

function toRemembered({ principal, riskFactors, usedAt }: StoredSession, age: number): Remembered {
  return {
    principal,
    riskFactors: JSON.parse(riskFactors) as SessionRiskFactors,
    usedAt,
    savedAt: usedAt,
    age,
  }
}
