import type { Evidence, Judgement } from './inference.ts'

/** A sum of log-odds, with the evidence. */
export class Tally {
  score: number
  /** The evidence for and against, without the prior. */
  towards = 0
  against = 0
  readonly evidence: Evidence[] = []

  constructor(prior: number) {
    this.score = prior
  }

  add(weight: number, reason: Evidence): void {
    if (weight === 0) return
    this.score += weight
    if (weight > 0) this.towards += weight
    else this.against -= weight
    this.evidence.push(reason)
  }
}

/** Text never makes a judgement certain. */
const MAX_CONFIDENCE = 0.99

export function toChance(score: number): number {
  return 1 / (1 + Math.exp(-score))
}

export function toLogOdds(chance: number): number {
  return Math.log(chance / (1 - chance))
}

export function judge<T>(value: T, confidence: number, evidence: readonly Evidence[]): Judgement<T> {
  const bounded = Math.min(MAX_CONFIDENCE, Math.max(0, confidence))
  return { value, confidence: Math.round(bounded * 1000) / 1000, evidence }
}
