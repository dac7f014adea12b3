import { LOG_LEVELS } from '../../protocol/modern.ts'

/** What counts as wanted by those who do not say: most never do, and a server has one level for all of them. */
const UNSAID = 'info'

/**
 * How grave what a server logs has to be, where callers share it: the server is told the lowest that anybody wants who is
 * still there, and each of them hears no more than they want.
 *
 * @example
 * const level = new SharedLevel()
 * level.want('session 1', 'debug') // => 'debug'
 * level.want('session 2', 'error') // => 'debug'
 * level.leave('session 1') // => 'info'
 */
export class SharedLevel {
  readonly #wanted = new Map<string, string>()
  #told: string | undefined

  /** What the server is to be told now. */
  want(session: string, level: string): string {
    this.#wanted.set(session, level)
    this.#told = this.#lowest()
    return this.#told
  }

  /** What the server has to be told, now that one is gone, if that is anything else. */
  leave(session: string): string | undefined {
    if (!this.#wanted.delete(session)) return undefined
    const before = this.#told
    this.#told = this.#lowest()
    return this.#told === before ? undefined : this.#told
  }

  /** What a server has to be told that has forgotten all; undefined where nobody said anything. */
  again(): string | undefined {
    this.#told = this.#wanted.size === 0 ? undefined : this.#lowest()
    return this.#told
  }

  #lowest(): string {
    const wanted = new Set([...this.#wanted.values(), UNSAID])
    return LOG_LEVELS.find(level => wanted.has(level)) ?? UNSAID
  }
}
