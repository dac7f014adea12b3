import type { DefinitionVersion, StoredDefinition } from '../store.ts'
import type { DefinitionRow, DefinitionVersionRow } from './schema.ts'

/** Definitions with their versions, oldest first. */
export function joinDefinitions(
  rows: readonly DefinitionRow[],
  versions: readonly DefinitionVersionRow[],
): StoredDefinition[] {
  const byKey = groupByKey(versions)
  return rows
    .map(row => ({
      server: row.server,
      kind: row.kind,
      name: row.name,
      ...(row.current === null ? {} : { current: row.current }),
      isDisabled: row.is_disabled === 1,
      versions: (byKey.get(keyOf(row)) ?? [])
        .toSorted((a, b) => a.first_seen_at - b.first_seen_at)
        .map(toVersion),
    }))
    .toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
}

function groupByKey(versions: readonly DefinitionVersionRow[]): Map<string, DefinitionVersionRow[]> {
  const groups = new Map<string, DefinitionVersionRow[]>()
  for (const version of versions) {
    const group = groups.get(keyOf(version))
    if (group === undefined) groups.set(keyOf(version), [version])
    else group.push(version)
  }
  return groups
}

function keyOf({ kind, name }: { readonly kind: string; readonly name: string }): string {
  return `${kind} ${name}`
}

function toVersion(row: DefinitionVersionRow): DefinitionVersion {
  const { fingerprint, definition, first_seen_at, last_seen_at, verdict, reviewed_by, reviewed_at, note } =
    row
  return {
    fingerprint,
    definition,
    firstSeenAt: first_seen_at,
    lastSeenAt: last_seen_at,
    ...(verdict === null
      ? {}
      : {
          review: {
            verdict,
            by: reviewed_by ?? '',
            at: reviewed_at ?? 0,
            ...(note === null ? {} : { note }),
          },
        }),
  }
}
