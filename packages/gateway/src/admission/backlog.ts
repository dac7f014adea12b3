interface Bounds {
  readonly count: number
  readonly length: number
}

/**
 * Limits the items that wait because of one server, by their number and the total length of their text. A single item
 * can have any length, because only many items together fill the memory.
 */
export class Backlog {
  readonly #most: Bounds
  #count = 0
  #length = 0

  constructor(most: Bounds) {
    this.#most = most
  }

  /** Adds an item of this length. Returns false if there is no room for it. */
  take(length: number): boolean {
    const hasRoom = this.#count < this.#most.count && this.#length + length <= this.#most.length
    if (!hasRoom && this.#count > 0) return false
    this.#count += 1
    this.#length += length
    return true
  }

  /** Removes an item of this length. */
  leave(length: number): void {
    this.#count -= 1
    this.#length -= length
  }
}
