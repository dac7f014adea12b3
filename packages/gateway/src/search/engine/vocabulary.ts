/**
 * Impacts are stored as integers in this unit, so that one array can hold both slots and impacts. A second array would
 * take more memory than the data in it.
 */
export const IMPACT_UNIT = 2 ** -24
export const STRIDE = 2
export const SLOT = 0
export const IMPACT = 1

/**
 * The tools that have a certain word, and its impact on each of them, stored as slot, impact, slot, impact, in no
 * particular order.
 */
export class Postings {
  length = 0
  data = new Int32Array(STRIDE)

  add(slot: number, impact: number): void {
    const at = this.length * STRIDE
    if (at === this.data.length) this.#resize(this.length * 2)
    this.data[at + SLOT] = slot
    this.data[at + IMPACT] = Math.round(impact / IMPACT_UNIT)
    this.length += 1
  }

  drop(isGone: Uint8Array): void {
    const { data } = this
    let kept = 0
    for (let at = 0; at < this.length * STRIDE; at += STRIDE) {
      const slot = data[at + SLOT] ?? 0
      if (isGone[slot] === 1) continue
      data[kept * STRIDE + SLOT] = slot
      data[kept * STRIDE + IMPACT] = data[at + IMPACT] ?? 0
      kept += 1
    }
    this.length = kept
    if (kept > 0 && kept * 4 * STRIDE < this.data.length) this.#resize(kept * 2)
  }

  /**
   * Returns the word's impact on one tool, or 0 if the tool does not have the word. The scan is linear, so this is
   * suitable for explanations but not for ranking.
   */
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

/** The catalog's words, each with a number. The numbers of removed words are reused. */
export class Vocabulary {
  readonly #numbers = new Map<string, number>()
  readonly #words: string[] = []
  readonly #postings: Postings[] = []
  readonly #free: number[] = []
  readonly #byStart = new Map<string, Set<string>>()

  /** An upper bound: the numbers of all words are smaller than this. */
  get capacity(): number {
    return this.#words.length
  }

  numberOf(word: string): number | undefined {
    return this.#numbers.get(word)
  }

  wordOf(number: number): string {
    return this.#words[number] ?? ''
  }

  postingsOf(number: number): Postings {
    return this.#postings[number] ?? NO_POSTINGS
  }

  /** Returns known words with the same first two letters, in no particular order. */
  withSameStart(word: string): Iterable<string> {
    return this.#byStart.get(word.slice(0, 2)) ?? []
  }

  add(word: string): number {
    const known = this.#numbers.get(word)
    if (known !== undefined) return known
    const own = copyText(word)
    const number = this.#free.pop() ?? this.#words.length
    this.#numbers.set(own, number)
    this.#words[number] = own
    this.#postings[number] = new Postings()
    const start = own.slice(0, 2)
    const others = this.#byStart.get(start)
    if (others === undefined) this.#byStart.set(start, new Set([own]))
    else others.add(own)
    return number
  }

  /**
   * Removes tools from a word's postings, and the word itself if no other tool has it, so that a server cannot fill the
   * index with invented words.
   */
  drop(number: number, isGone: Uint8Array): void {
    const postings = this.postingsOf(number)
    postings.drop(isGone)
    if (postings.length > 0) return
    const word = this.wordOf(number)
    this.#numbers.delete(word)
    const start = word.slice(0, 2)
    const others = this.#byStart.get(start)
    others?.delete(word)
    if (others?.size === 0) this.#byStart.delete(start)
    this.#free.push(number)
  }
}

const NO_POSTINGS = new Postings()

/** From this length on, V8 stores a slice as a reference to the original string. Shorter slices are copied. */
const SHORTEST_WINDOW = 13

/** Copies a word, because a slice would keep the whole description in memory. */
function copyText(word: string): string {
  if (word.length < SHORTEST_WINDOW) return word
  return String.fromCharCode(...Array.from({ length: word.length }, (_, at) => word.charCodeAt(at)))
}

/**
 * A caller's view of the index. A query takes words and their rarity only from the view, so that hidden tools do not
 * affect matches, typo corrections or scores.
 */
export class SearchView {
  readonly size: number
  /** The version of the index for which this view was created. */
  readonly version: number
  readonly #vocabulary: Vocabulary
  readonly #isVisible: Uint8Array
  /** For each word, the number of visible tools that have it. It is counted on first use and -1 until then. */
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

  /** Returns a word's number, or undefined if no visible tool has the word. */
  numberOf(word: string): number | undefined {
    const number = this.#vocabulary.numberOf(word)
    return number !== undefined && this.countOf(number) > 0 ? number : undefined
  }

  /** Returns words of visible tools with the same first two letters, in no particular order. */
  *withSameStart(word: string): Iterable<string> {
    for (const other of this.#vocabulary.withSameStart(word)) {
      if (this.numberOf(other) !== undefined) yield other
    }
  }

  countOf(term: number): number {
    const known = this.#counts[term] ?? 0
    if (known >= 0) return known
    const { data, length } = this.#vocabulary.postingsOf(term)
    let count = 0
    for (let at = 0; at < length * STRIDE; at += STRIDE) count += this.#isVisible[data[at + SLOT] ?? 0] ?? 0
    this.#counts[term] = count
    return count
  }

  /** Returns how rare a word is. The value is higher the fewer visible tools have the word. */
  rarityOf(term: number): number {
    return Math.log(1 + this.size / Math.max(1, this.countOf(term)))
  }
}
