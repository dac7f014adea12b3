import {
  addRiskFactors,
  type EffectiveHints,
  type RiskFactorMark,
  riskFactorsBroughtBy,
  type SessionRiskFactors,
} from '@hintgate/metadata'
import type { SessionStore, StoredSession } from '../store/session-store.ts'

interface Remembered {
  readonly principal: string
  riskFactors: SessionRiskFactors
  usedAt: number
  /** Which use the store knows of. */
  savedAt: number
  /** When it was read, in the times that all was forgotten. */
  readonly age: number
}

interface MemoryOptions {
  readonly sessions: number
  /** A session that was not used for so long is over. */
  readonly idleMs: number
  readonly store: SessionStore
  /** Others may add risk factors to the same sessions, and tell nobody. */
  readonly isShared: boolean
  /** Something that nobody waits for went wrong. */
  readonly onError: (error: unknown) => void
  readonly onRiskFactors?: ((session: SessionName, riskFactors: SessionRiskFactors) => void) | undefined
}

export interface SessionName {
  readonly session: string
  readonly principal: string
}

const NOTHING: SessionRiskFactors = {}
/** Every use counts against the end of a session, but not every use is worth a write. */
const SAVE_USE_MS = 60_000

/** Which risk factors each session has. They are in the store; here is what was needed lately. */
export class SessionMemory {
  /** Least recently changed first. */
  readonly #sessions = new Map<string, Remembered>()
  readonly #options: MemoryOptions
  #age = 0

  constructor(options: MemoryOptions) {
    this.#options = options
  }

  /**
   * To be waited for before anybody asks for risk factors; mostly there is nothing to wait for. Where others write too, what a
   * tool that brings risk factors of its own is judged by is read anew: somewhere else its session may have got the others.
   */
  ready(name: SessionName, now: number, tool?: EffectiveHints): undefined | Promise<void> {
    if (this.#find(name.session) === undefined) return this.#load(name, now)
    if (!this.#options.isShared) return undefined
    const isJudged = tool === undefined || Object.keys(riskFactorsBroughtBy(tool)).length > 0
    return isJudged ? this.#refresh(name, now) : undefined
  }

  /** Of what was forgotten since, too: whoever is being judged must not have none for that. */
  riskFactorsOf(session: string, now: number): SessionRiskFactors {
    const found = this.#sessions.get(session)
    return found === undefined || this.#isOver(found, now) ? NOTHING : found.riskFactors
  }

  /** A call was answered: what it brought stays with the session, and is safe when the promise is. */
  note(
    name: SessionName,
    effective: EffectiveHints,
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
    // Most calls bring nothing new, and then there is nothing to move about either.
    found.usedAt = call.at
    if (call.at - found.savedAt >= SAVE_USE_MS) this.#save(name.session, found).catch(this.#options.onError)
    return undefined
  }

  /** Somebody may have reset a session: from now on the store is asked again. */
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
    found.riskFactors = { ...others.riskFactors, ...own }
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

  /** What is over, from the oldest on, and one more where there are too many. */
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
