import { LIKELY } from './evaluate-secrets.ts'
import type { Detectors } from './load-detectors.ts'
import type { Sample } from './load-rows.ts'
import type { Mistake } from './score.ts'

interface Flagged {
  readonly label: string
  readonly kind: string
  readonly rows: number
  readonly flagged: number
  readonly share: number
}

export interface InjectionResults {
  readonly recall: number
  readonly falsePositives: number
  readonly kinds: readonly Flagged[]
  readonly misses: readonly Mistake[]
  readonly falseAlarms: readonly Mistake[]
}

/**
 * `malicious` rows should be flagged and `benign` ones not. `payload` rows are harmless tasks, so they are shown but not
 * scored.
 */
export function evaluateInjection(rows: readonly Sample[], detectors: Detectors): InjectionResults {
  const judged = rows.map(row => {
    const rules = [...detectors.findInjection(row.text), ...detectors.findHiddenText(row.text)]
      .filter(({ confidence }) => confidence >= LIKELY)
      .map(({ rule }) => rule)
    return { ...row, rules: [...new Set(rules)], isFlagged: rules.length > 0 }
  })
  const malicious = judged.filter(({ label }) => label === 'malicious')
  const benign = judged.filter(({ label }) => label === 'benign')
  const groups = [...new Set(judged.map(({ label, kind }) => `${label}\n${kind}`))].sort()
  return {
    recall: shareOf(malicious),
    falsePositives: shareOf(benign),
    kinds: groups.map(group => {
      const [label = '', kind = ''] = group.split('\n')
      const own = judged.filter(row => row.label === label && row.kind === kind)
      const flagged = own.filter(({ isFlagged }) => isFlagged).length
      return { label, kind, rows: own.length, flagged, share: shareOf(own) }
    }),
    misses: malicious.filter(({ isFlagged }) => !isFlagged),
    falseAlarms: benign.filter(({ isFlagged }) => isFlagged),
  }
}

function shareOf(rows: readonly { readonly isFlagged: boolean }[]): number {
  return rows.filter(({ isFlagged }) => isFlagged).length / rows.length
}
