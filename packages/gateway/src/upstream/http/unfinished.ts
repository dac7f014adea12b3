/** Whoever keeps something that is not whole yet. */
export interface Holder {
  /** How many bytes. */
  readonly held: number
  /** Its place is needed by others. */
  giveUp(): void
}

/** Whoever holds less is not worth looking for. */
const LITTLE = 64 * 1024

/** What is kept of answers that are not whole yet, in all of them together. Where it is too much, the longest one goes. */
export class Unfinished {
  readonly #most: number
  readonly #holders = new Set<Holder>()
  #held = 0

  constructor(most: number) {
    this.#most = most
  }

  /** So much more is held now, or less; false where there is no room for it, and nobody holds more. */
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
