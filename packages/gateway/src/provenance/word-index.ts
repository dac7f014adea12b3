import type { Passage } from './passage.ts'

/** Fewer words than this are searched faster one by one, and need no index. */
const FEWEST_WORDS = 1500
const NONE = -1

/**
 * Finds the passages that contain a word with one of several hashes, because an agent can have read thousands of words
 * that ask for something. Passages are added lazily, when something is searched for.
 */
export class WordIndex {
  /** The newest entry of each bucket. */
  #heads = new Int32Array(0)
  /** For each entry, the entry before it in the same bucket. */
  #earlier = new Int32Array(0)
  /** For each entry, the number of its passage. */
  #owners = new Int32Array(0)
  #count = 0
  /** The numbers of the first passage that is indexed, and of the first that is not indexed yet. */
  #from = 0
  #until = 0

  /**
   * Returns the passages that could contain one of the words, oldest first. Some of them might not, because different
   * words share buckets. `dropped` is the number of passages that came before these and are no longer kept.
   */
  search(hashes: readonly number[], passages: readonly Passage[], dropped: number): readonly Passage[] {
    if (this.#count === 0 && !isLarge(passages)) return passages
    this.#catchUp(passages, dropped)
    // Passages that a call is still compared with can have been dropped in the meantime.
    if (dropped < this.#from) return passages
    const found = new Set<number>()
    const mask = this.#heads.length - 1
    for (const hash of hashes) {
      let at = this.#heads[hash & mask] ?? NONE
      for (; at !== NONE; at = this.#earlier[at] ?? NONE) {
        const owner = this.#owners[at] ?? NONE
        // All earlier entries are of dropped passages, too.
        if (owner < dropped) break
        found.add(owner)
      }
    }
    return [...found]
      .toSorted((one, other) => one - other)
      .flatMap(number => passages[number - dropped] ?? [])
  }

  #catchUp(passages: readonly Passage[], dropped: number): void {
    const end = dropped + passages.length
    if (this.#until >= end) return
    const first = Math.max(this.#until, dropped) - dropped
    if (this.#count + countWords(passages, first) > this.#owners.length) this.#restart(passages, dropped)
    for (let number = Math.max(this.#until, dropped); number < end; number += 1)
      this.#add(passages[number - dropped], number)
    this.#until = end
  }

  /** Makes room for twice as many words as there are. */
  #restart(passages: readonly Passage[], dropped: number): void {
    const capacity = 2 ** Math.ceil(Math.log2(2 * countWords(passages, 0)))
    this.#heads = new Int32Array(capacity).fill(NONE)
    this.#earlier = new Int32Array(capacity)
    this.#owners = new Int32Array(capacity)
    this.#count = 0
    this.#from = dropped
    this.#until = dropped
  }

  #add(passage: Passage | undefined, number: number): void {
    if (passage === undefined) return
    const mask = this.#heads.length - 1
    for (const hash of passage.tokens.first) {
      const bucket = hash & mask
      this.#earlier[this.#count] = this.#heads[bucket] ?? NONE
      this.#owners[this.#count] = number
      this.#heads[bucket] = this.#count
      this.#count += 1
    }
  }
}

function isLarge(passages: readonly Passage[]): boolean {
  return countWords(passages, 0) >= FEWEST_WORDS
}

function countWords(passages: readonly Passage[], first: number): number {
  let count = 0
  for (let at = first; at < passages.length; at += 1) count += passages[at]?.tokens.count ?? 0
  return count
}
