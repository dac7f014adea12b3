import { LOG_LEVELS } from '../../protocol/modern.ts'

/** The level of callers that set none, as most do; without it, one caller's higher level would silence the others. */
const DEFAULT_LEVEL = 'info'

/**
 * The log level of a shared server: the lowest level that any connected caller wants. Each caller then receives only the
 * messages of its own level or above.
 *
 * @example
 * const level = new SharedLevel()
 * level.request('session 1', 'debug') // => 'debug'
 * level.request('session 2', 'error') // => 'debug'
 * level.release('session 1') // => 'info'
 */
export class SharedLevel {
  readonly #wanted = new Map<string, string>()
  #sent: string | undefined

  /** Returns the level for the server. */
  request(session: string, level: string): string {
    this.#wanted.set(session, level)
    this.#sent = this.#lowest()
    return this.#sent
  }

  /** Returns the new level for the server, if it changes. */
  release(session: string): string | undefined {
    if (!this.#wanted.delete(session)) return undefined
    const before = this.#sent
    this.#sent = this.#lowest()
    return this.#sent === before ? undefined : this.#sent
  }

  /** The level for a server that restarted; undefined if no caller set one. */
  current(): string | undefined {
    this.#sent = this.#wanted.size === 0 ? undefined : this.#lowest()
    return this.#sent
  }

  #lowest(): string {
    const wanted = new Set([...this.#wanted.values(), DEFAULT_LEVEL])
    return LOG_LEVELS.find(level => wanted.has(level)) ?? DEFAULT_LEVEL
  }
}
