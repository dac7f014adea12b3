import { showUntrusted } from '@hintgate/metadata'
import { formatTable } from '../format-table.ts'
import type { Bar } from '../inference/bars.ts'
import type { Mistake, ScannerResults } from './evaluate.ts'
import type { Shares } from './unseen.ts'

/** Enough to recognise a row. The rows are hostile, so they are not printed whole. */
const EXCERPT = 100
const MAX_SHOWN = 40

/** Three decimals. A missing measurement is a dash, not a zero. */
function show(value: number): string {
  return Number.isFinite(value) ? value.toFixed(3) : '–'
}

function showShare(value: number): string {
  return Number.isFinite(value) ? `${(value * 100).toFixed(2)} %` : '–'
}

function showTime(microseconds: number): string {
  return Number.isFinite(microseconds) ? `${microseconds.toFixed(0)} µs` : '–'
}

export function reportScanner(
  results: ScannerResults,
  bars: readonly Bar[],
  unseen: readonly Shares[] = [],
): string {
  const { precision, recall, recallOverSources, falsePositives, vendors } = results
  return [
    reportUnseen(unseen),
    `As they are: precision ${show(precision)}, recall ${show(recall)}, false positives ${showShare(falsePositives.share)}; mean recall over sources ${show(recallOverSources)}`,
    reportKinds(results),
    reportMistakes('Misses: malicious rows that were not flagged', results.misses),
    reportMistakes('False alarms: benign rows that were flagged', results.falseAlarms),
    `Vendors’ tools flagged: ${vendors.flagged} of ${vendors.rows} (${showShare(vendors.share)})`,
    reportMistakes('Flagged vendors’ tools', results.vendorAlarms),
    reportBars(bars),
    `Time: ${showTime(results.microsecondsPerTool)} per vendor’s tool, including its schema`,
  ].join('\n\n')
}

/** The rules are written by hand, so no row is unseen as it is. What they find in changed rows predicts better. */
function reportUnseen(unseen: readonly Shares[]): string {
  const rows = unseen.map(({ name, poisoned, overt, recall, recallOverGroups, benign, vendors }) => [
    name,
    ...[poisoned, overt, recall, recallOverGroups].map(show),
    ...[benign, vendors].map(showShare),
  ])
  const head = [
    'the rows',
    'poisoned',
    'overt',
    'all',
    'mean over groups',
    'benign flagged',
    'vendors’ flagged',
  ]
  return [
    'Recall on rows that were changed, because the hand-written rules had seen them as they are (docs/decisions/0040).',
    'The forms called blind use words that the rules were never improved with; vendors’ tools are a sample of one in seven.',
    formatTable(head, rows),
  ].join('\n')
}

function reportKinds({ kinds }: ScannerResults): string {
  const rows = kinds.map(({ kind, isMalicious, flagged, rows, share }) => [
    isMalicious ? 'malicious' : 'benign',
    kind,
    String(rows),
    String(flagged),
    show(share),
  ])
  return formatTable(['label', 'kind', 'rows', 'flagged', 'share'], rows)
}

function reportMistakes(title: string, mistakes: readonly Mistake[]): string {
  const lines = mistakes.slice(0, MAX_SHOWN).map(({ place, kind, name, text, rules }) => {
    const what = [kind, name, rules.join(', ')].filter(part => part !== '').join('; ')
    return `  ${place.split('/').at(-1) ?? ''} (${what}): ${showUntrusted(text, EXCERPT)}`
  })
  const more = mistakes.length > MAX_SHOWN ? [`  … and ${mistakes.length - MAX_SHOWN} more`] : []
  return [`${title}: ${mistakes.length}`, ...lines, ...more].join('\n')
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
