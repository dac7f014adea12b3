/** Counts of correct, wrong and missed findings. */
export interface Score {
  readonly name: string
  readonly hits: number
  readonly falseAlarms: number
  readonly misses: number
  readonly precision: number
  readonly recall: number
}

/** An undefined ratio is NaN, shown as a dash. */
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

/** A row with a wrong result, and its findings. */
export interface Mistake {
  readonly place: string
  readonly kind: string
  readonly text: string
  readonly rules: readonly string[]
}
