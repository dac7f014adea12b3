import {
  HINT_NAMES,
  HINTS,
  type HintName,
  isSuspicious,
  kindOfVariant,
  type ScanFinding,
} from '@hintgate/metadata'
import { lastApproved } from '../../catalog/judge-definition.ts'
import { compareVersions, summariseChange } from '../../catalog/review/compare-versions.ts'
import { diffWords } from '../../catalog/review/diff-words.ts'
import type { ToolEvidence } from '../../catalog/review/gather-evidence.ts'
import { changesOf } from '../../catalog/review/list-waiting.ts'
import { type ReviewItem, readDefinitionOf } from '../../catalog/review/review-item.ts'
import type { DefinitionVersion } from '../../store/store.ts'
import type { VersionDiff, Waiting } from '../contract/contract.ts'
import { type Table, weighItem } from './tool-table.ts'

export function describeDiff(from: DefinitionVersion, to: DefinitionVersion): VersionDiff {
  const diff = compareVersions(readDefinitionOf(from), readDefinitionOf(to))
  return {
    from: from.fingerprint,
    to: to.fingerprint,
    verdict: diff.verdict,
    hints: diff.hints.map(({ hint, before, after, direction }) => {
      return { hint, from: before, to: after, direction }
    }),
    words: diff.texts.map(({ path, before, after }) => ({
      path,
      parts: diffWords(before, after).map(({ kind, text }) => ({ op: kind, text })),
    })),
    schema: diff.fields.map(({ path, kind, before, after }) => {
      return { path, change: kind, from: before, to: after }
    }),
    summary: [...summariseChange(diff)],
    isCut: diff.isCut,
  }
}

/** Returns the empty diff of a new definition, which has no earlier version to compare with. */
export function noDiff(to: DefinitionVersion): VersionDiff {
  const summary = ['new']
  return { to: to.fingerprint, verdict: 'same', hints: [], words: [], schema: [], summary, isCut: false }
}

export function describeFinding(finding: ScanFinding): Waiting['findings'][number] {
  const { rule, severity, path, span, excerpt, reason } = finding
  return { rule, severity, field: path, start: span[0], end: span[1], text: excerpt, reason }
}

/** Finds a hint by its name in the protocol: `readOnlyHint` is the hint `readOnly`. */
export function hintOnWire(wire: string): HintName | undefined {
  return HINT_NAMES.find(name => HINTS[name].wire === wire)
}

export function describeWaiting(item: ReviewItem, table: Table): Waiting {
  const { stored, current, definition, state, shadowing, notice } = item
  const { server, kind, name } = stored
  const { scanner, tool } = weighItem(item, table)
  const before = notice?.before ?? lastApproved(stored)
  return {
    server,
    kind,
    name,
    state,
    fingerprint: current.fingerprint,
    since: current.firstSeenAt,
    summary: [...changesOf(item, table.bodies())],
    why: shadowing,
    notice: notice?.text,
    isSuspicious: isSuspicious(scanner),
    findings: scanner.map(describeFinding),
    diff: before && describeDiff(before, current),
    before: before && { ...readDefinitionOf(before) },
    suggestion: tool && suggest(tool),
    definition: { ...definition },
  }
}

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
