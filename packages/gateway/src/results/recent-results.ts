import type { Pages } from './page-result.ts'

/** A kept result, ready to be read from. */
export interface RecentResult {
  readonly owner: string
  readonly expiresAt: number
  readonly pages: Pages
  /** How many characters its body has. */
  readonly total: number
}

/**
 * The results that were read last. Who reads one page of a long result reads the next soon; to find, parse and sort
 * ten million characters anew for each would stop everybody else for a fifth of a second.
 */
export class RecentResults {
  readonly #results = new Map<string, RecentResult>()
  readonly #maxChars: number
  #chars = 0

  constructor(maxChars: number) {
    this.#maxChars = maxChars
  }

  find(handle: string, owner: string, now: number): RecentResult | undefined {
    const found = this.#results.get(handle)
    if (found === undefined || found.owner !== owner) return undefined
    this.#remove(handle)
    if (found.expiresAt <= now) return undefined
    this.add(found)
    return found
  }

  /** The newest always stays, however long it is. */
  add(result: RecentResult): void {
    this.#remove(result.pages.handle)
    this.#results.set(result.pages.handle, result)
    this.#chars += result.total
    for (const handle of this.#results.keys()) {
      if (this.#chars <= this.#maxChars || this.#results.size === 1) return
      this.#remove(handle)
    }
  }

  #remove(handle: string): void {
    this.#chars -= this.#results.get(handle)?.total ?? 0
    this.#results.delete(handle)
  }
}
