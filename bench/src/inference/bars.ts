import type { InferenceResults } from './evaluate.ts'

export interface Bar {
  readonly name: string
  readonly value: number
  readonly bound: number
  readonly sense: 'at least' | 'at most'
  readonly met: boolean
}

/** The bars on vendors that training had not seen, as means over vendors. Time has no bar, because machines differ. */
export function checkBars(results: InferenceResults): readonly Bar[] {
  const meanOf = (name: string): number =>
    results.questions.find(({ question }) => question === name)?.inference.meanOverVendors ?? Number.NaN
  return [
    bar('read-only accuracy', meanOf('readOnly'), 'at least', 0.945),
    bar('read-only accuracy at high confidence', results.confident.meanOverVendors, 'at least', 0.97),
    bar(
      'share of tools judged at high confidence',
      results.confident.coveredMeanOverVendors,
      'at least',
      0.8,
    ),
    bar('destructive accuracy', meanOf('destructive'), 'at least', 0.75),
    bar('idempotent accuracy', meanOf('idempotent'), 'at least', 0.76),
    bar('destructive inferred as read-only', results.worst.share, 'at most', 0.005),
  ]
}

function bar(name: string, value: number, sense: Bar['sense'], bound: number): Bar {
  return { name, value, bound, sense, met: sense === 'at least' ? value >= bound : value <= bound }
}
