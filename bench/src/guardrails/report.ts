import { showUntrusted } from '@hintgate/metadata'
import { formatTable } from '../format-table.ts'
import type { Bar } from '../inference/bars.ts'
import type { GuardrailResults } from './evaluate-all.ts'
import type { Mistake, Score } from './score.ts'

/** Enough to recognise a row. The rows are hostile, so they are not printed whole. */
const EXCERPT = 100

/** Three decimals. A missing measurement is a dash, not a zero. */
function show(value: number): string {
  return Number.isFinite(value) ? value.toFixed(3) : '–'
}

/** `injection` was measured with weights that had not seen a row's template or source, `injectionInSample` with all. */
type Measured = GuardrailResults & { readonly injectionInSample: GuardrailResults['injection'] }

export function reportGuardrails(results: Measured, bars: readonly Bar[], showsMistakes: boolean): string {
  const { secrets, pii, injection, injectionInSample } = results
  return [
    'Secrets, by row',
    // Most kinds have only a row or two, so only those with a mistake are shown.
    reportScores([
      ...secrets.kinds.filter(({ misses, falseAlarms }) => misses + falseAlarms > 0),
      secrets.total,
    ]),
    'Structured personal data, by location',
    reportScores([...pii.kinds, pii.total]),
    `Injection: recall ${show(injection.recall)}, benign look-alikes flagged ${show(injection.falsePositives)}, with weights that had not seen the template or source`,
    `(in-sample: ${show(injectionInSample.recall)} and ${show(injectionInSample.falsePositives)}; the hand-written rules had seen all rows, so both flatter)`,
    formatTable(
      ['label', 'kind', 'rows', 'flagged', 'share'],
      injection.kinds.map(({ label, kind, rows, flagged, share }) => [
        label,
        kind,
        String(rows),
        String(flagged),
        show(share),
      ]),
    ),
    ...(showsMistakes ? [secrets, pii, injection].flatMap(reportMistakes) : []),
    reportBars(bars),
  ].join('\n\n')
}

function reportScores(scores: readonly Score[]): string {
  const rows = scores.map(({ name, hits, falseAlarms, misses, precision, recall }) => [
    name,
    String(hits),
    String(falseAlarms),
    String(misses),
    show(precision),
    show(recall),
  ])
  return formatTable(['class', 'correct', 'wrong', 'missed', 'precision', 'recall'], rows)
}

interface Mistakes {
  readonly misses: readonly Mistake[]
  readonly falseAlarms: readonly Mistake[]
}

function reportMistakes({ misses, falseAlarms }: Mistakes): readonly string[] {
  return [listMistakes('Misses', misses), listMistakes('False alarms', falseAlarms)]
}

function listMistakes(title: string, mistakes: readonly Mistake[]): string {
  const lines = mistakes.map(({ place, kind, text, rules }) => {
    const what = [kind, ...rules].join('; ')
    return `  ${place.split('/').at(-1) ?? ''} (${what}): ${showUntrusted(text, EXCERPT)}`
  })
  return [`${title}: ${mistakes.length}`, ...lines].join('\n')
}

function reportBars(bars: readonly Bar[]): string {
  const rows = bars.map(({ name, value, bound, sense, met }) => [
    met ? 'met' : 'MISSED',
    name,
    show(value),
    `${sense} ${bound}`,
  ])
  return `Bars\n${formatTable(['', 'measure', 'value', 'bar'], rows)}`
}
