/** Where a posting stands in its tool's own list of words. */
export interface Place {
  readonly slot: number
  readonly ordinal: number
}

/** Impacts are kept as whole numbers, so that one array holds a posting: an array each would weigh more than its data. */
export const IMPACT_UNIT = 2 ** -24
export const STRIDE = 3
export const SLOT = 0
export const IMPACT = 1
const ORDINAL = 2

/** The tools of one word and how strongly it speaks for each: slot, impact, ordinal, and so on. Order means nothing. */
export class Postings {
  length = 0
  data = new Int32Array(STRIDE)

  /** Answers with the position of the posting, which the tool remembers. */
  add({ slot, ordinal }: Place, impact: number): number {
    const position = this.length
    const at = position * STRIDE
    if (at === this.data.length) this.#resize(position * 2)
    this.data[at + SLOT] = slot
    this.data[at + IMPACT] = Math.round(impact / IMPACT_UNIT)
    this.data[at + ORDINAL] = ordinal
    this.length += 1
    return position
  }

  /**
   * Removes one posting without a walk: the last one fills the gap. Answers with the place of the posting that now
   * stands at `position`, so that its tool can be told; undefined when none moved.
   */
  removeAt(position: number): Place | undefined {
    const last = this.length - 1
    const from = last * STRIDE
    const moved = { slot: this.data[from + SLOT] ?? 0, ordinal: this.data[from + ORDINAL] ?? 0 }
    this.data.copyWithin(position * STRIDE, from, from + STRIDE)
    this.length = last
    if (last > 0 && last * 4 * STRIDE < this.data.length) this.#resize(last * 2)
    return position === last ? undefined : moved
  }

  /** How strongly the word speaks for one tool; 0 when it does not. A walk: for explanations, not for ranking. */
  impactOn(slot: number): number {
    for (let at = 0; at < this.length * STRIDE; at += STRIDE) {
      if (this.data[at + SLOT] === slot) return (this.data[at + IMPACT] ?? 0) * IMPACT_UNIT
    }
    return 0
  }

  #resize(capacity: number): void {
    const data = new Int32Array(capacity * STRIDE)
    data.set(this.data.subarray(0, this.length * STRIDE))
    this.data = data
  }
}
