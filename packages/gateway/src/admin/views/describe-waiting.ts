import { isSuspicious, kindOfVariant } from '@hintgate/metadata'
import { lastApproved } from '../../catalog/judge-definition.ts'
import type { ToolEvidence } from '../../catalog/review/gather-evidence.ts'
import { changesOf } from '../../catalog/review/list-waiting.ts'
import { type ReviewItem, readDefinitionOf } from '../../catalog/review/review-item.ts'
import type { Waiting } from '../contract/contract.ts'
import { describeDiff, describeFinding, hintOnWire } from './describe-diff.ts'
import { type Table, weighItem } from './tool-table.ts'

/** Everything that somebody needs to see who decides about a definition. */
export function describeWaiting(item: ReviewItem, table: Table): Waiting {
  const { stored, current, definition, state, shadowing } = item
  const { server, kind, name } = stored
  const { scanner, tool } = weighItem(item, table)
  const before = lastApproved(stored)
  return {
    server,
    kind,
    name,
    state: state === 'approved' ? 'pending' : state,
    fingerprint: current.fingerprint,
    since: current.firstSeenAt,
    summary: [...changesOf(item, table.bodies())],
    ...(shadowing === undefined ? {} : { why: shadowing }),
    isSuspicious: isSuspicious(scanner),
    findings: scanner.map(describeFinding),
    ...(before === undefined
      ? {}
      : { diff: describeDiff(before, current), before: { ...readDefinitionOf(before) } }),
    ...(tool === undefined ? {} : { suggestion: suggest(tool) }),
    definition: { ...definition },
  }
}

/** What inference makes of it, and what approving it would mean. */
function suggest({ hints, callWith }: ToolEvidence): NonNullable<Waiting['suggestion']> {
  const inferred = hints.flatMap(({ hint, inferred: judged }) => {
    const name = hintOnWire(hint)
    return judged === undefined || name === undefined ? [] : [[name, judged.value] as const]
  })
  return {
    hints: Object.fromEntries(inferred),
    variant: kindOfVariant(callWith.ifApproved),
    variantIfNot: kindOfVariant(callWith.ifNot),
  }
}
