/** A property of a text or a definition, with the id under which its weight was learned. */
export interface Feature<Reason> {
  readonly id: string
  readonly value: number
  /** The explanation for a person if this feature decides. Features from the same place share one object. */
  readonly reason: Reason
}

/**
 * The answer to one question. `towards` and `against` are reasons with the sums of their weights, the heaviest first.
 */
export interface Answer<Reason> {
  readonly score: number
  readonly value: boolean
  /** The probability that the answer is "yes", calibrated on groups that training had not seen. */
  readonly chance: number
  readonly towards: readonly (readonly [Reason, number])[]
  readonly against: readonly (readonly [Reason, number])[]
}

/** A table of weights as it is stored, with one column per question. */
export interface WeightTable {
  readonly questions: readonly string[]
  readonly bias: readonly number[]
  /** For each question, the score above which the answer is "yes". */
  readonly threshold: readonly number[]
  /** Parameters of the calibration: chance = 1 / (1 + exp(-(slope × score + shift))). */
  readonly slope: readonly number[]
  readonly shift: readonly number[]
  readonly weights: Readonly<Record<string, readonly number[]>>
}

/** Reasons that weigh less than this are left out, because they would only distract readers. */
const LEAST_WEIGHT = 0.05

/** A linear model that sums learned weights. The cost is one lookup per feature, however large the table is. */
export class LinearModel {
  private readonly table: WeightTable
  private readonly weights: ReadonlyMap<string, readonly number[]>

  constructor(table: WeightTable) {
    this.table = table
    this.weights = new Map(Object.entries(table.weights))
  }

  /** Returns true if a feature has a weight. Features without one need no description. */
  knows(id: string): boolean {
    return this.weights.has(id)
  }

  /** Answers all questions of the table, in the table's order. */
  answer<Reason>(features: readonly Feature<Reason>[]): readonly Answer<Reason>[] {
    const { questions, bias } = this.table
    const scores = [...bias]
    const shares = new Map<Reason, number[]>()
    for (const { id, value, reason } of features) {
      const weights = this.weights.get(id)
      if (weights === undefined) continue
      let share = shares.get(reason)
      if (share === undefined) {
        share = questions.map(() => 0)
        shares.set(reason, share)
      }
      for (let at = 0; at < weights.length; at += 1) {
        const weight = (weights[at] ?? 0) * value
        scores[at] = (scores[at] ?? 0) + weight
        share[at] = (share[at] ?? 0) + weight
      }
    }
    return scores.map((score, at) => this.conclude(score, at, shares))
  }

  private conclude<Reason>(
    score: number,
    at: number,
    shares: ReadonlyMap<Reason, readonly number[]>,
  ): Answer<Reason> {
    const { threshold, slope, shift } = this.table
    const towards: [Reason, number][] = []
    const against: [Reason, number][] = []
    for (const [reason, share] of shares) {
      const weight = share[at] ?? 0
      if (weight >= LEAST_WEIGHT) towards.push([reason, weight])
      else if (weight <= -LEAST_WEIGHT) against.push([reason, weight])
    }
    return {
      score,
      value: score > (threshold[at] ?? 0),
      chance: toChance((slope[at] ?? 1) * score + (shift[at] ?? 0)),
      towards: towards.sort((a, b) => b[1] - a[1]),
      against: against.sort((a, b) => a[1] - b[1]),
    }
  }
}

export function toChance(logOdds: number): number {
  return 1 / (1 + Math.exp(-logOdds))
}
