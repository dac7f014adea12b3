import { SLOT, STRIDE } from './postings.ts'
import type { Vocabulary } from './vocabulary.ts'

/**
 * What a caller may see of the index. A query asks it for everything that it goes by, which words there are and how rare
 * they are, so that what is hidden has no say: not in what is found, nor in what is taken for a slip, nor in a score.
 */
export class SearchView {
  /** How many tools can be seen. */
  readonly size: number
  /** The state of the index that this is a view of. */
  readonly version: number
  readonly #vocabulary: Vocabulary
  readonly #isVisible: Uint8Array
  /** Visible tools by word, counted when first asked for; -1 until then. */
  readonly #counts: Int32Array

  constructor(vocabulary: Vocabulary, isVisible: Uint8Array, version: number) {
    this.#vocabulary = vocabulary
    this.#isVisible = isVisible
    this.#counts = new Int32Array(vocabulary.capacity).fill(-1)
    this.size = isVisible.reduce((sum, one) => sum + one, 0)
    this.version = version
  }

  sees(slot: number): boolean {
    return this.#isVisible[slot] === 1
  }

  /** Undefined for a word that none of the visible tools has. */
  numberOf(word: string): number | undefined {
    const number = this.#vocabulary.numberOf(word)
    return number !== undefined && this.countOf(number) > 0 ? number : undefined
  }

  /** Words of visible tools that begin with the same two letters, in no particular order. */
  *withSameStart(word: string): Iterable<string> {
    for (const other of this.#vocabulary.withSameStart(word)) {
      if (this.numberOf(other) !== undefined) yield other
    }
  }

  /** How many visible tools have a word. */
  countOf(term: number): number {
    const known = this.#counts[term] ?? 0
    if (known >= 0) return known
    const { data, length } = this.#vocabulary.postingsOf(term)
    let count = 0
    for (let at = 0; at < length * STRIDE; at += STRIDE) count += this.#isVisible[data[at + SLOT] ?? 0] ?? 0
    this.#counts[term] = count
    return count
  }

  /** Rare words say more. */
  rarityOf(term: number): number {
    return Math.log(1 + this.size / Math.max(1, this.countOf(term)))
  }
}
