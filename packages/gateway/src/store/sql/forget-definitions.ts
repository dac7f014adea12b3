import type { RawBuilder } from 'kysely'
import { rowsOf, type SqlDatabase, type Steps } from './database.ts'
import { sql } from './kysely.ts'

/**
 * Maximum number of unreviewed versions kept for one definition. An operator who returns after some time needs only the
 * newest.
 */
const MOST_UNREVIEWED = 100
/** Maximum number of unreviewed definitions kept after their server stopped sending them. */
const MOST_GONE = 1000
/**
 * Maximum bytes of a server's unreviewed versions, enough for a few of the longest lists. Current versions are always
 * kept.
 */
const MOST_BYTES = 64 * 1024 * 1024
/** Assumed size of a version's row without its name and its definition. */
const ROW_BYTES = 512

/**
 * Deletes the oldest unreviewed versions: otherwise, a server that changes its definitions every minute could fill the
 * disk. Definitions that an operator approved, rejected or disabled are never deleted.
 */
export function* forgetDefinitions(server: string, schema: SqlDatabase['schema']): Steps<void> {
  const definitions = sql.raw(`${schema}definitions`)
  const versions = sql.raw(`${schema}definition_versions`)
  yield sql`
    delete from ${versions} where server = ${server} and verdict is null and (kind, name, fingerprint) in (
      select kind, name, fingerprint from (
        select seen.kind, seen.name, seen.fingerprint,
          row_number() over (partition by seen.kind, seen.name order by seen.last_seen_at desc) as place
        from ${versions} as seen
        join ${definitions} as known
          on known.server = seen.server and known.kind = seen.kind and known.name = seen.name
        where seen.server = ${server} and seen.verdict is null
          and (known.current is null or known.current <> seen.fingerprint)) as ranked
      where place > ${MOST_UNREVIEWED})`
  const last = yield* findLastWithoutRoom(server, versions)
  if (last !== undefined)
    yield sql`
      delete from ${versions} where server = ${server} and verdict is null and last_seen_at <= ${last}
        and not exists (
          select 1 from ${definitions} as known
          where known.server = ${versions}.server and known.kind = ${versions}.kind
            and known.name = ${versions}.name and known.current = ${versions}.fingerprint)`
  yield sql`
    delete from ${versions} where server = ${server} and (kind, name) in (
      select kind, name from (
        select known.kind, known.name, row_number() over (order by max(seen.last_seen_at) desc) as place
        from ${definitions} as known
        join ${versions} as seen
          on seen.server = known.server and seen.kind = known.kind and seen.name = known.name
        where known.server = ${server} and known.current is null and known.is_disabled = 0
        group by known.kind, known.name
        having max(seen.verdict) is null) as ranked
      where place > ${MOST_GONE})`
  yield sql`
    delete from ${definitions} where server = ${server} and current is null and is_disabled = 0 and not exists (
      select 1 from ${versions} as seen
      where seen.server = ${definitions}.server and seen.kind = ${definitions}.kind
        and seen.name = ${definitions}.name)`
}

/**
 * Finds the newest time whose versions no longer fit into the budget. Versions that came in the same list are deleted
 * together.
 */
function* findLastWithoutRoom(server: string, versions: RawBuilder<unknown>): Steps<number | undefined> {
  // The name counts twice, because it is stored in the table and in the table's index.
  const rows = yield* rowsOf(sql<{ at: number; bytes: number }>`
    select last_seen_at as at,
      sum(${sql.lit(ROW_BYTES)} + 2 * octet_length(name) + octet_length(definition)) as bytes
    from ${versions} where server = ${server} and verdict is null
    group by last_seen_at order by last_seen_at desc`)
  let left = MOST_BYTES
  return rows.find(({ bytes }) => {
    left -= bytes
    return left < 0
  })?.at
}
