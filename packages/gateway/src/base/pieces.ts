/** Smaller pieces are copied together: kept as they came, each would take a hundred times its length. */
const SMALL = 1024
const ROOM = 16 * 1024

/** Bytes that come piece by piece, and are joined once: joining at every piece would copy them over and over. */
export class Pieces {
  size = 0
  #pieces: Buffer[] = []
  /** Where small pieces go; the last of the pieces, up to what is used of it. */
  #room: Buffer | undefined
  #used = 0

  add(piece: Buffer): void {
    this.size += piece.length
    if (piece.length < SMALL && this.#pieces.length > 0) return this.#copy(piece)
    this.#leaveRoom()
    // It is written over when this is done.
    this.#pieces.push(Buffer.from(piece))
  }

  start(bytes: number): Buffer {
    this.#leaveRoom()
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
    this.#leaveRoom()
    const [only] = this.#pieces
    const whole = this.#pieces.length === 1 && only !== undefined ? only : Buffer.concat(this.#pieces)
    return whole.toString('utf8')
  }

  clear(): void {
    this.size = 0
    this.#pieces = []
    this.#room = undefined
  }

  #copy(piece: Buffer): void {
    if (this.#room === undefined || this.#used + piece.length > ROOM) {
      this.#leaveRoom()
      this.#room = Buffer.allocUnsafeSlow(ROOM)
      this.#used = 0
      this.#pieces.push(this.#room)
    }
    this.#used += piece.copy(this.#room, this.#used)
  }

  #leaveRoom(): void {
    if (this.#room === undefined) return
    this.#pieces[this.#pieces.length - 1] = this.#room.subarray(0, this.#used)
    this.#room = undefined
  }
}
