/** What one query writes down: by slot of a tool, and by number of a word. Kept between queries, cleared before each. */
export class Scratch {
  readonly scores: Float64Array
  /** The best credit of the concept at hand, valid where `creditedBy` names that concept. */
  readonly best: Float64Array
  readonly creditedBy: Int32Array
  /** How far the query speaks of a word, from 0 to 1. */
  readonly spoken: Float64Array
  /** The number of the concept at hand, from 1. */
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
