import { HINT_NAMES, HINTS, type HintName, type ScanFinding } from '@hintgate/metadata'
import { compareVersions, summariseChange } from '../../catalog/review/compare-versions.ts'
import { diffWords } from '../../catalog/review/diff-words.ts'
import { readDefinitionOf } from '../../catalog/review/review-item.ts'
import type { DefinitionVersion } from '../../store/store.ts'
import type { VersionDiff, Waiting } from '../contract/contract.ts'

/** What changed from one version to another, as the contract says it. */
export function describeDiff(from: DefinitionVersion, to: DefinitionVersion): VersionDiff {
  const diff = compareVersions(readDefinitionOf(from), readDefinitionOf(to))
  return {
    from: from.fingerprint,
    to: to.fingerprint,
    verdict: diff.verdict,
    hints: diff.hints.map(({ hint, before, after, direction }) => ({
      hint,
      from: before,
      to: after,
      direction,
    })),
    words: diff.texts.map(({ path, before, after }) => ({
      path,
      parts: diffWords(before, after).map(({ kind, text }) => ({ op: kind, text })),
    })),
    schema: diff.fields.map(({ path, kind, before, after }) => ({
      path,
      change: kind,
      from: before,
      to: after,
    })),
    summary: [...summariseChange(diff)],
    isCut: diff.isCut,
  }
}

/** Where there was nothing before, nothing has changed: all of it is new. */
export function noDiff(to: DefinitionVersion): VersionDiff {
  const summary = ['new']
  return { to: to.fingerprint, verdict: 'same', hints: [], words: [], schema: [], summary, isCut: false }
}

export function describeFinding(finding: ScanFinding): Waiting['findings'][number] {
  const { rule, severity, path, span, excerpt, reason } = finding
  return {
    rule,
    severity,
    field: path,
    start: span[0],
    end: span[1],
    text: excerpt,
    reason,
  }
}

/** `readOnlyHint` is the hint `readOnly`. */
export function hintOnWire(wire: string): HintName | undefined {
  return HINT_NAMES.find(name => HINTS[name].wire === wire)
}
