import type { Evidence, Judgement } from './inference.ts'

/** Maximum confidence, because no text makes a judgement completely certain. */
const MAX_CONFIDENCE = 0.99

export function judge<T>(value: T, confidence: number, evidence: readonly Evidence[]): Judgement<T> {
  const bounded = Math.min(MAX_CONFIDENCE, Math.max(0, confidence))
  return { value, confidence: Math.round(bounded * 1000) / 1000, evidence }
}
