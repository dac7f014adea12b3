import type { Selectable } from 'kysely'
import type { DefinitionVersion, StoredDefinition } from '../store.ts'
import type { DefinitionVersionRow, Tables } from './schema.ts'

type DefinitionRow = Selectable<Tables['definitions']>

/** Combines definitions with their versions, oldest version first. */
export function joinDefinitions(
  rows: readonly DefinitionRow[],
  versions: readonly DefinitionVersionRow[],
): StoredDefinition[] {
  const byKey = groupBy(versions, keyOf)
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

export function groupBy<T>(all: readonly T[], key: (one: T) => string): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>()
  for (const one of all) {
    const group = groups.get(key(one))
    if (group === undefined) groups.set(key(one), [one])
    else group.push(one)
  }
  return groups
}

function keyOf({ kind, name }: { readonly kind: string; readonly name: string }): string {
  return `${kind} ${name}`
}

/** Converts a version directly, because `fromRow` would be too slow for ten thousand of them. */
function toVersion(row: DefinitionVersionRow): DefinitionVersion {
  const { fingerprint, definition, first_seen_at, last_seen_at, verdict, reviewed_by, reviewed_at, note } =
    row
  const version = { fingerprint, definition, firstSeenAt: first_seen_at, lastSeenAt: last_seen_at }
  if (verdict === null) return version
  const review = { verdict, by: reviewed_by ?? '', at: reviewed_at ?? 0, ...(note === null ? {} : { note }) }
  return { ...version, review }
}
