const LEAST_ROOM = 1024

/**
 * Collects pieces in one buffer. Stored separately, short pieces could take hundreds of times their length in memory.
 */
export class GrowingBuffer {
  #room = Buffer.allocUnsafeSlow(LEAST_ROOM)
  #used = 0

  add(piece: Buffer): void {
    const needed = this.#used + piece.length
    if (needed > this.#room.length) this.#grow(needed)
    piece.copy(this.#room, this.#used)
    this.#used = needed
  }

  /** All bytes that were added so far. */
  get bytes(): Buffer {
    return this.#room.subarray(0, this.#used)
  }

  /** At least doubles the size of the buffer, so that each byte is copied at most twice on average. */
  #grow(needed: number): void {
    const room = Buffer.allocUnsafeSlow(Math.max(needed, 2 * this.#room.length))
    this.#room.copy(room, 0, 0, this.#used)
    this.#room = room
  }
}
