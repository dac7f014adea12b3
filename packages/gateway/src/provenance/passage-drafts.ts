import type { Asks } from './read-request.ts'

/** A passage whose words are not hashed yet. */
export interface Draft {
  readonly asks: Asks
  readonly near: Asks
  readonly words: string
}

/**
 * Collects the passages of one text. The same words make one passage, wherever they are repeated. If there are too many
 * passages, the last one contains all remaining words, so that no sentence can hide behind many others.
 */
export class Drafts {
  readonly #most: number
  readonly #drafts = new Map<string, Draft>()
  readonly #rest = new Set<string>()
  #asks: Asks = 0
  #near: Asks = 0

  constructor(most: number) {
    this.#most = most
  }

  add(draft: Draft): void {
    const { asks, near, words } = draft
    const same = this.#drafts.get(words)
    if (same !== undefined) {
      // Moved to the end, because the newest passage counts.
      this.#drafts.delete(words)
      this.#drafts.set(words, { words, asks: asks | same.asks, near: near | same.near })
    } else if (this.#drafts.size < this.#most) this.#drafts.set(words, draft)
    else {
      this.#asks |= asks
      this.#near |= near
      this.#rest.add(words)
    }
  }

  /** In the order in which they were last added. */
  all(): readonly Draft[] {
    const drafts = [...this.#drafts.values()]
    if (this.#rest.size > 0)
      drafts.push({ asks: this.#asks, near: this.#near, words: [...this.#rest].join(' | ') })
    return drafts
  }
}
