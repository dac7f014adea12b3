import {
  addLegs,
  type EffectiveHints,
  type LegMark,
  legsBroughtBy,
  type SessionLegs,
} from '@hintgate/metadata'
import type { SessionStore, StoredSession } from '../store/session-store.ts'

interface Remembered {
  readonly principal: string
  legs: SessionLegs
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
  /** Others may add legs to the same sessions, and tell nobody. */
  readonly isShared: boolean
  /** Something that nobody waits for went wrong. */
  readonly onError: (error: unknown) => void
  readonly onLegs?: ((session: SessionName, legs: SessionLegs) => void) | undefined
}

export interface SessionName {
  readonly session: string
  readonly principal: string
}

const NOTHING: SessionLegs = {}
/** Every use counts against the end of a session, but not every use is worth a write. */
const SAVE_USE_MS = 60_000

/** Which legs each session has. They are in the store; here is what was needed lately. */
export class SessionMemory {
  /** Least recently changed first. */
  readonly #sessions = new Map<string, Remembered>()
  readonly #options: MemoryOptions
  #age = 0

  constructor(options: MemoryOptions) {
    this.#options = options
  }

  /**
   * To be waited for before anybody asks for legs; mostly there is nothing to wait for. Where others write too, what a
   * tool that brings legs of its own is judged by is read anew: somewhere else its session may have got the others.
   */
  ready(name: SessionName, now: number, tool?: EffectiveHints): undefined | Promise<void> {
    if (this.#find(name.session) === undefined) return this.#load(name, now)
    if (!this.#options.isShared) return undefined
    const isJudged = tool === undefined || Object.keys(legsBroughtBy(tool)).length > 0
    return isJudged ? this.#refresh(name, now) : undefined
  }

  /** Of what was forgotten since, too: whoever is being judged must not have none for that. */
  legsOf(session: string, now: number): SessionLegs {
    const found = this.#sessions.get(session)
    return found === undefined || this.#isOver(found, now) ? NOTHING : found.legs
  }

  /** A call was answered: what it brought stays with the session, and is safe when the promise is. */
  note(
    name: SessionName,
    effective: EffectiveHints,
    call: Pick<LegMark, 'tool' | 'request' | 'at'>,
  ): undefined | Promise<void> {
    const found = this.#find(name.session)
    if (found === undefined) return this.#load(name, call.at).then(() => this.note(name, effective, call))
    const before = this.legsOf(name.session, call.at)
    const legs = addLegs(before, effective, call)
    if (legs !== found.legs) {
      this.#options.onLegs?.(name, legs)
      return this.#change(name.session, { ...found, legs, usedAt: call.at })
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
    this.#keep(session, isOver ? { principal, legs: NOTHING, usedAt: now, savedAt: now, age } : loaded)
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
    const own = this.#isOver(found, now) ? NOTHING : found.legs
    found.legs = { ...others.legs, ...own }
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
    const { principal, legs, usedAt } = remembered
    remembered.savedAt = usedAt
    const { store, idleMs } = this.#options
    return store.save({ id, principal, legs: JSON.stringify(legs), usedAt }, usedAt - idleMs)
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

function toRemembered({ principal, legs, usedAt }: StoredSession, age: number): Remembered {
  return { principal, legs: JSON.parse(legs) as SessionLegs, usedAt, savedAt: usedAt, age }
}
