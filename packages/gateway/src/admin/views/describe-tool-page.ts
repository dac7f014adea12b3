import { describeHistory } from '../../catalog/review/compare-versions.ts'
import type { HintEvidence } from '../../catalog/review/gather-evidence.ts'
import { withEffectiveHints } from '../../catalog/to-catalog-tool.ts'
import type { OverrideChange } from '../../store/store.ts'
import type { Call, ToolPage } from '../contract/contract.ts'
import { describeFinding, hintOnWire } from './describe-diff.ts'
import { describeTool } from './describe-tool.ts'
import { type Table, type ToolRow, weighItem } from './tool-table.ts'

interface History {
  readonly overrides: readonly OverrideChange[]
  readonly calls: readonly Call[]
}

/** Everything that is known of one tool. */
export function describeToolPage(table: Table, row: ToolRow, history: History): ToolPage {
  const { item, assessment } = row
  const { tool, scanner } = weighItem(item, table)
  return {
    ...describeTool(row, table.scans),
    definition: { ...item.definition },
    effective: { ...withEffectiveHints(item.definition, assessment) },
    schema: item.definition.inputSchema ?? {},
    versions: describeHistory(item.stored).map(entry => ({ ...entry, changes: [...entry.changes] })),
    overrides: history.overrides.map(({ hints, by, at }) => ({
      ...(hints === undefined ? {} : { hints }),
      by,
      at,
    })),
    evidence: (tool?.hints ?? []).flatMap(describeEvidence),
    problems: (tool?.problems ?? []).map(({ level, message, fix }) => ({ level, text: message, fix })),
    scan: scanner.map(describeFinding),
    lastCalls: history.calls.map(describeLastCall),
  }
}

const SHOWN_WORDS = 5

function describeEvidence({
  hint,
  declared,
  inferred,
  ifApproved,
  ifNot,
}: HintEvidence): ToolPage['evidence'] {
  const known = hintOnWire(hint)
  if (known === undefined) return []
  return [
    {
      hint: known,
      ...(declared === undefined ? {} : { declared }),
      ...(inferred === undefined
        ? {}
        : {
            inferred: {
              value: inferred.value,
              confidence: inferred.confidence,
              because: inferred.evidence.slice(0, SHOWN_WORDS).map(({ from, text }) => ({ from, text })),
            },
          }),
      ifApproved: { value: ifApproved.value, source: ifApproved.source },
      ifNot: { value: ifNot.value, source: ifNot.source },
    },
  ]
}

function describeLastCall({
  request,
  at,
  agent,
  verdict,
  outcome,
  sentence,
}: Call): ToolPage['lastCalls'][number] {
  return { request, at, agent, ...(verdict === undefined ? {} : { verdict }), outcome, sentence }
}
