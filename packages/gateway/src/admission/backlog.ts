interface Bounds {
  readonly count: number
  readonly length: number
}

/**
 * What waits on account of one server: how many things, and how much text. A single one may be as long as anything may be;
 * it is many of them that fill the memory.
 */
export class Backlog {
  readonly #most: Bounds
  #count = 0
  #length = 0

  constructor(most: Bounds) {
    this.#most = most
  }

  /** False when there is no room for one more of this length. */
  take(length: number): boolean {
    const hasRoom = this.#count < this.#most.count && this.#length + length <= this.#most.length
    if (!hasRoom && this.#count > 0) return false
    this.#count += 1
    this.#length += length
    return true
  }

  /** One of this length waits no longer. */
  leave(length: number): void {
    this.#count -= 1
    this.#length -= length
  }
}
