import {
  type EffectiveHints,
  HINT_NAMES,
  type HintName,
  type Inference,
  kindOfVariant,
} from '@hintgate/metadata'
import type { Tool } from '../contract/contract.ts'
import { etagOf } from '../http/etag.ts'
import type { ScanCounts, ToolRow } from './tool-table.ts'

export function describeTool(row: ToolRow, scans: ScanCounts): Tool {
  const { id, item, state, assessment, contradictions, why, override } = row
  const { title, variant, riskLevel, category, effective, inferred } = assessment
  const { description } = item.definition
  return {
    id,
    server: item.stored.server,
    name: item.stored.name,
    title,
    description: typeof description === 'string' ? description : '',
    state,
    fingerprint: item.current.fingerprint,
    variant: kindOfVariant(variant),
    risk: riskLevel,
    category,
    domains: [...effective.serviceDomains.value],
    hints: describeHints(effective, inferred),
    findings: scans.countOf(item),
    contradictions,
    ...(why === undefined ? {} : { why }),
    ...(override === undefined ? {} : { override }),
    etag: etagOf([id, item.current.fingerprint, state, override]),
  }
}

function describeHints(effective: EffectiveHints, inferred: Inference): Tool['hints'] {
  const entries = HINT_NAMES.map(name => [name, describeHint(name, effective, inferred)])
  return Object.fromEntries(entries) as Tool['hints']
}

function describeHint(
  name: HintName,
  effective: EffectiveHints,
  inferred: Inference,
): Tool['hints'][HintName] {
  const { value, source } = effective[name]
  const confidence = source === 'inferred' ? inferred[name]?.confidence : undefined
  return { value, source, ...(confidence === undefined ? {} : { confidence }) }
}
