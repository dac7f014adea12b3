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
  /** The time of the last use that is recorded in the store. */
  savedAt: number
  /** The value of `#age` at the time of loading. If `#age` has changed, the session is read again. */
  readonly age: number
}

interface MemoryOptions {
  readonly sessions: number
  /** A session ends once it has been idle for this long. */
  readonly idleMs: number
  readonly store: SessionStore
  /** True if other processes can add risk factors to the same sessions without a notification. */
  readonly isShared: boolean
  /** Called for errors in background work. */
  readonly onError: (error: unknown) => void
  readonly onRiskFactors?: ((session: SessionName, riskFactors: SessionRiskFactors) => void) | undefined
}

export interface SessionName {
  readonly session: string
  readonly principal: string
}

const NOTHING: SessionRiskFactors = {}
/**
 * Minimum time between two writes of a session's last use. Every use keeps a session alive, but writing each use would
 * cost too much.
 */
const SAVE_USE_MS = 60_000

/** The risk factors of each session. The store has all of them; this class caches recent ones. */
export class SessionMemory {
  /** The cached sessions; the one that was changed least recently comes first. */
  readonly #sessions = new Map<string, Remembered>()
  readonly #options: MemoryOptions
  #age = 0

  constructor(options: MemoryOptions) {
    this.#options = options
  }

  /**
   * Loads a session's risk factors. Await this before reading them; usually there is nothing to wait for. If other
   * processes also write, the factors are read again for a tool that adds one itself, because another process might
   * have added the others.
   */
  ready(name: SessionName, now: number, tool?: RiskyTool): undefined | Promise<void> {
    if (this.#find(name.session) === undefined) return this.#load(name, now)
    if (!this.#options.isShared) return undefined
    const isJudged = tool === undefined || Object.keys(riskFactorsBroughtBy(tool)).length > 0
    return isJudged ? this.#refresh(name, now) : undefined
  }

  /**
   * Returns a session's risk factors. Entries from before the last `forget` are included, so that a decision that is
   * under way does not lose them.
   */
  riskFactorsOf(session: string, now: number): SessionRiskFactors {
    const found = this.#sessions.get(session)
    return found === undefined || this.#isOver(found, now) ? NOTHING : found.riskFactors
  }

  /** Called when a call was answered. The call's risk factors are stored once the promise resolves. */
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
    // Most calls add no new risk factor. The order of the sessions then stays the same.
    found.usedAt = call.at
    if (call.at - found.savedAt >= SAVE_USE_MS) this.#save(name.session, found).catch(this.#options.onError)
    return undefined
  }

  /** Called when a session might have been reset. Every session is then read from the store again at its next use. */
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

  /** Drops sessions from the front: those that have ended, and others as long as there are too many. */
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
