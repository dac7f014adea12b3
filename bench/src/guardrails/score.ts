/** How often something was found rightly, wrongly, or not at all. */
export interface Score {
  readonly name: string
  readonly hits: number
  readonly falseAlarms: number
  readonly misses: number
  readonly precision: number
  readonly recall: number
}

/** Of nothing there is no share: NaN, shown as a dash. */
export function toScore(name: string, counts: Pick<Score, 'hits' | 'falseAlarms' | 'misses'>): Score {
  const { hits, falseAlarms, misses } = counts
  return { name, ...counts, precision: hits / (hits + falseAlarms), recall: hits / (hits + misses) }
}

/** Several scores as one. */
export function sumScores(name: string, scores: readonly Score[]): Score {
  const sum = (pick: (score: Score) => number): number =>
    scores.reduce((total, score) => total + pick(score), 0)
  return toScore(name, {
    hits: sum(({ hits }) => hits),
    falseAlarms: sum(({ falseAlarms }) => falseAlarms),
    misses: sum(({ misses }) => misses),
  })
}

/** A row that was judged wrongly, with what was found in it. */
export interface Mistake {
  readonly place: string
  readonly kind: string
  readonly text: string
  readonly rules: readonly string[]
}
