import type { DefinitionVersion, Review, StoredDefinition } from '../../store/store.ts'
import { compareVersions } from './compare-versions.ts'
import { readDefinitionOf } from './review-item.ts'
import { summariseChange } from './summarise-change.ts'

/** One version of a definition, beside the one before it. */
export interface HistoryEntry {
  readonly fingerprint: string
  readonly firstSeenAt: number
  readonly lastSeenAt: number
  /** What the server has now. */
  readonly isCurrent: boolean
  readonly review?: Review
  /** At a glance; none for the first one. */
  readonly changes: readonly string[]
}

/** Every version, oldest first. */
export function describeHistory({ versions, current }: StoredDefinition): readonly HistoryEntry[] {
  return versions.map((version, index) => {
    const { fingerprint, firstSeenAt, lastSeenAt, review } = version
    return {
      fingerprint,
      firstSeenAt,
      lastSeenAt,
      isCurrent: fingerprint === current,
      ...(review === undefined ? {} : { review }),
      changes: changesSince(versions[index - 1], version),
    }
  })
}

function changesSince(before: DefinitionVersion | undefined, version: DefinitionVersion): readonly string[] {
  if (before === undefined) return []
  return summariseChange(compareVersions(readDefinitionOf(before), readDefinitionOf(version)))
}
