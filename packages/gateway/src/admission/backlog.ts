interface Bounds {
  readonly count: number
  readonly length: number
}

/**
 * What waits on account of one server: the number of items and the length of their text. A single item may be as long
 * as any message; only many of them fill the memory.
 */
export class Backlog {
  readonly #most: Bounds
  #count = 0
  #length = 0

  constructor(most: Bounds) {
    this.#most = most
  }

  /** False when there is no space for one more item of this length. */
  take(length: number): boolean {
    const hasRoom = this.#count < this.#most.count && this.#length + length <= this.#most.length
    if (!hasRoom && this.#count > 0) return false
    this.#count += 1
    this.#length += length
    return true
  }

  /** An item of this length no longer waits. */
  leave(length: number): void {
    this.#count -= 1
    this.#length -= length
  }
}
