import type { Kysely, RawBuilder, Transaction } from 'kysely'
import { sql } from '../sql/kysely.ts'
import type { Tables } from '../sql/schema.ts'

/** "HGAT", "HGAU": advisory locks of a database are one space for all of its programs. */
export const LOCKS = 0x48474154
const SERVER_LOCKS = 0x48474155

export const LOCK = { migrate: 1, results: 2, writers: 3, audit: 4 } as const

/** Does several things or none, while nobody else does the same kind of thing. */
export function inTransaction<T>(
  db: Kysely<Tables>,
  locks: readonly RawBuilder<unknown>[],
  work: (db: Transaction<Tables>) => Promise<T>,
): Promise<T> {
  return db.transaction().execute(async transaction => {
    for (const lock of locks) await lock.execute(transaction)
    return work(transaction)
  })
}

export function lockOf(name: keyof typeof LOCK): RawBuilder<unknown> {
  return sql`select pg_advisory_xact_lock(${sql.lit(LOCKS)}, ${sql.lit(LOCK[name])})`
}

/** Of these servers' definitions. Always in the same order, so that two who want several do not block each other. */
export function lockServers(servers: readonly string[]): RawBuilder<unknown> {
  return sql`select pg_advisory_xact_lock(${sql.lit(SERVER_LOCKS)}, key) from (
    select distinct hashtext(server) as key from unnest(${servers}::text[]) as server order by key) as keys`
}
