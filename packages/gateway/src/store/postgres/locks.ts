import type { Kysely } from 'kysely'
import type { Lock, SqlDatabase } from '../sql/database.ts'
import { sql } from '../sql/kysely.ts'
import type { Tables } from '../sql/schema.ts'

/**
 * Numbers of the gateway's advisory locks: "HGAT", "HGAU" and "HGAV" in ASCII. All programs on a database share these
 * numbers.
 */
export const LOCKS = 0x48474154
const SERVER_LOCKS = 0x48474155
const PRINCIPAL_LOCKS = 0x48474156

export const LOCK = { migrate: 1, results: 2, writers: 3, audit: 4 } as const

/** Runs several statements in one transaction. Each statement is one round trip. */
export function createRunSteps(db: Kysely<Tables>): SqlDatabase['runSteps'] {
  return (lock, steps) =>
    db.transaction().execute(async transaction => {
      await statementOf(lock)?.execute(transaction)
      const all = steps()
      let step = all.next()
      while (step.done !== true) step = all.next(await transaction.executeQuery(step.value.compile(db)))
      return step.value
    })
}

function statementOf(lock: Lock) {
  if (lock === 'rows') return undefined
  if (typeof lock === 'string') return lockOf(lock)
  return 'servers' in lock
    ? lockNames(SERVER_LOCKS, lock.servers)
    : lockNames(PRINCIPAL_LOCKS, lock.principals)
}

export function lockOf(name: keyof typeof LOCK) {
  return sql`select pg_advisory_xact_lock(${sql.lit(LOCKS)}, ${sql.lit(LOCK[name])})`
}

/**
 * Locks the definitions of these servers, or the passages of these principals. The order is always the same, which
 * prevents deadlocks.
 */
function lockNames(kind: number, names: readonly string[]) {
  return sql`select pg_advisory_xact_lock(${sql.lit(kind)}, key) from (
    select distinct hashtext(name) as key from unnest(${names}::text[]) as name order by key) as keys`
}
