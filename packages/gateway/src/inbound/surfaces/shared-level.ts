import { LOG_LEVELS } from '../../protocol/modern.ts'

/**
 * The level that counts for callers that set none, as most do. Without this default, one caller's higher level would
 * silence messages for the others.
 */
const DEFAULT_LEVEL = 'info'

/**
 * Finds the log level for a shared server: the lowest level that any connected caller wants. Each caller then receives
 * only messages at or above the level that it set.
 * @example
 * const level = new SharedLevel()
 * level.request('session 1', 'debug') // => 'debug'
 * level.request('session 2', 'error') // => 'debug'
 * level.release('session 1') // => 'info'
 */
export class SharedLevel {
  readonly #wanted = new Map<string, string>()
  #sent: string | undefined

  /** Sets one session's level. Returns the level to set at the server. */
  request(session: string, level: string): string {
    this.#wanted.set(session, level)
    this.#sent = this.#lowest()
    return this.#sent
  }

  /** Forgets one session's level. Returns the server's new level if the level changes. */
  release(session: string): string | undefined {
    if (!this.#wanted.delete(session)) return undefined
    const before = this.#sent
    this.#sent = this.#lowest()
    return this.#sent === before ? undefined : this.#sent
  }

  /** Returns the level to send to a server that has restarted; undefined if no caller set one. */
  current(): string | undefined {
    this.#sent = this.#wanted.size === 0 ? undefined : this.#lowest()
    return this.#sent
  }

  #lowest(): string {
    const wanted = new Set([...this.#wanted.values(), DEFAULT_LEVEL])
    return LOG_LEVELS.find(level => wanted.has(level)) ?? DEFAULT_LEVEL
  }
}
