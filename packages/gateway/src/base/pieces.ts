/**
 * Size in bytes below which pieces are copied into a shared buffer. Kept separately, a piece could take a hundred times
 * its length in memory.
 */
const SMALL = 1024
const BUFFER_BYTES = 16 * 1024

/**
 * Collects bytes that arrive in pieces and joins them once, because joining after each piece would copy them
 * repeatedly.
 */
export class Pieces {
  size = 0
  #pieces: Buffer[] = []
  /** Buffer for small pieces. Its used part is the last element of `#pieces`. */
  #buffer: Buffer | undefined
  #used = 0

  add(piece: Buffer): void {
    this.size += piece.length
    if (piece.length < SMALL && this.#pieces.length > 0) return this.#copy(piece)
    this.#finishBuffer()
    // The piece is copied, because the caller reuses its buffer.
    this.#pieces.push(Buffer.from(piece))
  }

  start(bytes: number): Buffer {
    this.#finishBuffer()
    const first: Buffer[] = []
    let left = bytes
    for (const piece of this.#pieces) {
      if (left <= 0) break
      first.push(piece.subarray(0, left))
      left -= piece.length
    }
    return Buffer.concat(first)
  }

  toString(): string {
    this.#finishBuffer()
    const [only] = this.#pieces
    const whole = this.#pieces.length === 1 && only !== undefined ? only : Buffer.concat(this.#pieces)
    return whole.toString('utf8')
  }

  clear(): void {
    this.size = 0
    this.#pieces = []
    this.#buffer = undefined
  }

  #copy(piece: Buffer): void {
    if (this.#buffer === undefined || this.#used + piece.length > BUFFER_BYTES) {
      this.#finishBuffer()
      this.#buffer = Buffer.allocUnsafeSlow(BUFFER_BYTES)
      this.#used = 0
      this.#pieces.push(this.#buffer)
    }
    this.#used += piece.copy(this.#buffer, this.#used)
  }

  #finishBuffer(): void {
    if (this.#buffer === undefined) return
    this.#pieces[this.#pieces.length - 1] = this.#buffer.subarray(0, this.#used)
    this.#buffer = undefined
  }
}
