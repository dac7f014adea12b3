/** An answer that has not arrived in full. */
export interface Holder {
  /** Bytes received so far. */
  readonly held: number
  /** Abandons this answer, because other answers need its memory. */
  giveUp(): void
}

/** Size in bytes below which answers count towards the budget but are never given up. */
const LITTLE = 64 * 1024

/**
 * The memory budget for all unfinished answers of one server. When the budget is exceeded, the longest answer is given
 * up.
 */
export class Unfinished {
  readonly #most: number
  readonly #holders = new Set<Holder>()
  #held = 0

  constructor(most: number) {
    this.#most = most
  }

  /**
   * Adds to the bytes held, or subtracts from them. Returns false if that exceeds the budget and this answer is the
   * longest.
   */
  hold(holder: Holder, bytes: number): boolean {
    this.#held += bytes
    if (holder.held > LITTLE) this.#holders.add(holder)
    else if (this.#holders.size > 0) this.#holders.delete(holder)
    if (bytes <= 0 || this.#held <= this.#most) return true
    const longest = this.#findLongest()
    if (longest === undefined || longest.held <= holder.held) return false
    longest.giveUp()
    return true
  }

  #findLongest(): Holder | undefined {
    let longest: Holder | undefined
    for (const holder of this.#holders) if (holder.held > (longest?.held ?? 0)) longest = holder
    return longest
  }
}
