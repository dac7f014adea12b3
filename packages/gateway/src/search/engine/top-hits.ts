export interface Hit {
  readonly id: string
  readonly score: number
}

const SLACK = 16

/** Keeps the best hits of a stream: by score, then by id, in any order of arrival. */
export class TopHits {
  /** A hit with a lower score cannot be among the best. */
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

/** Higher score first, then ids by code unit, which is the same on every machine, unlike a locale's order. */
function compareHits(a: Hit, b: Hit): number {
  return b.score - a.score || (a.id < b.id ? -1 : Number(a.id > b.id))
}

/** Working memory of a query: by slot of a tool and by number of a word. Kept between queries, cleared before each. */
export class Scratch {
  readonly scores: Float64Array
  /** The best credit of the current concept, valid where `creditedBy` names that concept. */
  readonly best: Float64Array
  readonly creditedBy: Int32Array
  /** How strongly the query mentions a word, from 0 to 1. */
  readonly spoken: Float64Array
  /** The number of the current concept, from 1. */
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
