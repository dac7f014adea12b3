import type { RawBuilder } from 'kysely'
import { rowsOf, type SqlDatabase, type Steps } from './database.ts'
import { sql } from './kysely.ts'

/** Versions of one definition that nobody said anything of; an operator who comes back sees the newest. */
const MOST_UNREVIEWED = 100
/** Definitions of a server that it no longer has and nobody said anything of. */
const MOST_GONE = 1000
/** Of all versions of a server that nobody said anything of: a few of the longest lists. What is there now stays in any case. */
const MOST_BYTES = 64 * 1024 * 1024
/** What a version takes beside its name and its definition. */
const ROW_BYTES = 512

/**
 * Forgets the oldest of what nobody ever said anything of. What an operator approved, rejected or switched off is kept for
 * ever; a server that shows something else every minute must not fill the disk with it.
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

/** Up to when everything was seen that newer versions leave no room for. What came in one list goes together. */
function* findLastWithoutRoom(server: string, versions: RawBuilder<unknown>): Steps<number | undefined> {
  // A name stands in the table and in its key.
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
