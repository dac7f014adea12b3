import { type EffectiveHints, HINT_NAMES, type Inference, kindOfVariant } from '@hintgate/metadata'
import { describeHistory } from '../../catalog/review/compare-versions.ts'
import type { HintEvidence } from '../../catalog/review/gather-evidence.ts'
import { withEffectiveHints } from '../../catalog/to-catalog-tool.ts'
import type { Toolset } from '../../sets/toolset.ts'
import type { OverrideChange } from '../../store/store.ts'
import type { Call, Tool, ToolPage } from '../contract/contract.ts'
import { etagOf } from '../http/handler.ts'
import { describeFinding, hintOnWire } from './describe-waiting.ts'
import { type ScanCounts, type Table, type ToolRow, weighItem } from './tool-table.ts'

export function describeTool(row: ToolRow, scans: ScanCounts): Tool {
  const { id, item, state, assessment, contradictions, why, override } = row
  const { title, variant, riskLevel, category, effective, inferred } = assessment
  const { description } = item.definition
  const { server, name } = item.stored
  const { fingerprint } = item.current
  return {
    id,
    server,
    name,
    title,
    description: typeof description === 'string' ? description : '',
    state,
    fingerprint,
    variant: kindOfVariant(variant),
    risk: riskLevel,
    category,
    domains: [...effective.serviceDomains.value],
    hints: describeHints(effective, inferred),
    findings: scans.countOf(item),
    contradictions,
    why,
    override,
    etag: etagOf([id, fingerprint, state, override]),
  }
}

function describeHints(effective: EffectiveHints, inferred: Inference): Tool['hints'] {
  const entries = HINT_NAMES.map(name => {
    const { value, source } = effective[name]
    const confidence = source === 'inferred' ? inferred[name]?.confidence : undefined
    return [name, { value, source, confidence }]
  })
  return Object.fromEntries(entries) as Tool['hints']
}

export function describeToolPage(
  table: Table,
  row: ToolRow,
  {
    sets,
    ...history
  }: {
    readonly overrides: readonly OverrideChange[]
    readonly calls: readonly Call[]
    readonly sets: readonly Toolset[]
  },
): ToolPage {
  const { item, assessment } = row
  const { tool, scanner } = weighItem(item, table)
  return {
    ...describeTool(row, table.scans),
    definition: { ...item.definition },
    effective: { ...withEffectiveHints(item.definition, assessment) },
    sets: placesIn(sets, item.stored),
    consequence: {
      kinds: [...assessment.consequence.kinds],
      targets: [...assessment.consequence.targets],
      evidence: [...assessment.consequence.evidence],
      source: assessment.consequence.source,
    },
    schema: item.definition.inputSchema ?? {},
    versions: describeHistory(item.stored).map(entry => ({ ...entry, changes: [...entry.changes] })),
    overrides: history.overrides.map(({ hints, by, at }) => ({ hints, by, at })),
    evidence: (tool?.hints ?? []).flatMap(describeEvidence),
    problems: (tool?.problems ?? []).map(({ level, message, fix }) => ({ level, text: message, fix })),
    scan: scanner.map(describeFinding),
    lastCalls: history.calls.map(({ request, at, agent, verdict, outcome, sentence }) => {
      return { request, at, agent, verdict, outcome, sentence }
    }),
  }
}

/** Finds the toolsets that offer a tool. */
function placesIn(
  sets: readonly Toolset[],
  { server, name: tool }: { readonly server: string; readonly name: string },
): ToolPage['sets'] {
  return sets.flatMap(set => {
    const offered = set.toolsOf(server).find(one => one.tool.name === tool)
    if (offered === undefined) return []
    const { name, override } = offered
    const { fingerprint, author } = override ?? {}
    const known =
      fingerprint === undefined || author === undefined ? {} : { override: { fingerprint, author } }
    return [{ set: set.name, name, ...known }]
  })
}

const SHOWN_WORDS = 5

function describeEvidence(evidence: HintEvidence): ToolPage['evidence'] {
  const { declared, inferred, ifApproved, ifNot } = evidence
  const hint = hintOnWire(evidence.hint)
  if (hint === undefined) return []
  const judged = inferred && {
    value: inferred.value,
    confidence: inferred.confidence,
    because: inferred.evidence.slice(0, SHOWN_WORDS).map(({ from, text }) => ({ from, text })),
  }
  return [{ hint, declared, inferred: judged, ifApproved, ifNot }]
}
