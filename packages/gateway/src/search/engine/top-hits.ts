export interface Hit {
  readonly id: string
  readonly score: number
}

const SLACK = 16

/** Keeps the best hits of a stream, ordered by score and then by id. The hits can arrive in any order. */
export class TopHits {
  /** The minimum score: a hit with a lower score cannot be among the best. */
  floor = 0
  #hits: Hit[] = []
  readonly #limit: number

  constructor(limit: number) {
    this.#limit = limit
  }

  add(id: string, score: number): void {
    if (score < this.floor) return
    this.#hits.push({ id, score })
    if (this.#hits.length >= this.#limit * 2 + SLACK) this.#trim()
  }

  list(): readonly Hit[] {
    this.#trim()
    return this.#hits
  }

  #trim(): void {
    this.#hits.sort(compareHits)
    if (this.#hits.length <= this.#limit) return
    this.#hits.length = this.#limit
    this.floor = this.#hits.at(-1)?.score ?? this.floor
  }
}

/**
 * Orders hits by descending score, then by the code units of their ids. Unlike a locale's order, this is the same on
 * every machine.
 */
function compareHits(a: Hit, b: Hit): number {
  return b.score - a.score || (a.id < b.id ? -1 : Number(a.id > b.id))
}

/**
 * The working memory of a query. Its arrays are indexed by tool slot or by word number. It is kept between queries and
 * cleared before each one.
 */
export class Scratch {
  readonly scores: Float64Array
  /**
   * The best points of each tool for the current concept. An entry is valid only if `creditedBy` has that concept's
   * number.
   */
  readonly best: Float64Array
  readonly creditedBy: Int32Array
  /** How strongly the query mentions a word, from 0 to 1. */
  readonly spoken: Float64Array
  /** The number of the current concept, counted from 1. */
  concept = 0

  constructor(slots: number, terms: number) {
    this.scores = new Float64Array(slots)
    this.best = new Float64Array(slots)
    this.creditedBy = new Int32Array(slots)
    this.spoken = new Float64Array(terms)
  }

  clear(): void {
    this.scores.fill(0)
    this.creditedBy.fill(0)
    this.spoken.fill(0)
    this.concept = 0
  }
}
