import type { Bar } from '../inference/bars.ts'
import type { ScannerResults } from './evaluate.ts'
import { type Shares, WITHOUT_OWN_WORDS } from './unseen.ts'

/** The bars on labelled rows. Vendors' tools have no bar, because they are not labelled. */
export function checkBars(results: ScannerResults, unseen: readonly Shares[] = []): readonly Bar[] {
  const own = unseen.find(({ name }) => name === WITHOUT_OWN_WORDS)
  const poisoning = results.kinds.find(({ kind, isMalicious }) => isMalicious && kind === 'tool_poisoning')
  return [
    bar('poisoned rows without own words', own?.poisoned ?? Number.NaN, 'at least', 0.92),
    bar('recall on tool_poisoning', poisoning?.share ?? Number.NaN, 'at least', 0.95),
    bar('recall on all malicious rows', results.recall, 'at least', 0.92),
    bar('recall, mean over sources', results.recallOverSources, 'at least', 0.92),
    bar('false positives of benign rows', results.falsePositives.share, 'at most', 0.01),
  ]
}

/** A bar without a measurement is missed. */
function bar(name: string, value: number, sense: Bar['sense'], bound: number): Bar {
  return { name, value, bound, sense, met: sense === 'at least' ? value >= bound : value <= bound }
}
