import type { Detectors } from './load-detectors.ts'
import type { Sample } from './load-rows.ts'
import { type Mistake, type Score, sumScores, toScore } from './score.ts'

/** The confidence at which a finding counts; the same as in the gateway. */
export const LIKELY = 0.5

export interface SecretResults {
  readonly total: Score
  readonly kinds: readonly Score[]
  readonly misses: readonly Mistake[]
  readonly falseAlarms: readonly Mistake[]
}

/** Scored by row, because the data says which texts hold a secret, not where. */
export function evaluateSecrets(rows: readonly Sample[], { findSecrets }: Detectors): SecretResults {
  const judged = rows.map(row => {
    const rules = findSecrets(row.text)
      .filter(({ confidence }) => confidence >= LIKELY)
      .map(({ rule }) => rule)
    return { ...row, rules, isSecret: row.label === 'secret', isFlagged: rules.length > 0 }
  })
  const kinds = [...new Set(judged.map(({ kind }) => kind))].sort().map(kind => {
    const own = judged.filter(row => row.kind === kind)
    return toScore(kind, {
      hits: own.filter(({ isSecret, isFlagged }) => isSecret && isFlagged).length,
      falseAlarms: own.filter(({ isSecret, isFlagged }) => !isSecret && isFlagged).length,
      misses: own.filter(({ isSecret, isFlagged }) => isSecret && !isFlagged).length,
    })
  })
  return {
    total: sumScores('secrets', kinds),
    kinds,
    misses: judged.filter(({ isSecret, isFlagged }) => isSecret && !isFlagged),
    falseAlarms: judged.filter(({ isSecret, isFlagged }) => !isSecret && isFlagged),
  }
}
