import type { KeptResult, ResultQuota, ResultStore } from '../store.ts'
import { portions, rowsOf, type SqlDatabase, type Steps } from './database.ts'
import { sql } from './kysely.ts'
import { fromRow } from './schema.ts'

/** Creates the store of results. Writing a result notifies no listener, because no reader caches results. */
export function createResultStore({ db, schema, counter, runSteps }: SqlDatabase): ResultStore {
  const results = sql.raw(`${schema}results`)
  const expired = (now: number) => db.deleteFrom('results').where('expires_at', '<=', now)

  function* insert(result: KeptResult, quota: ResultQuota, runs: readonly string[]): Steps<boolean> {
    const { handle, owner, tool, createdAt, expiresAt, body } = result
    const size = [body, ...runs].reduce((sum, text) => sum + Buffer.byteLength(text), 0)
    yield expired(createdAt)
    const [kept] = yield* rowsOf(sql<Sizes>`
      select cast(coalesce(sum(size), 0) as bigint) as total,
        cast(coalesce(sum(size) filter (where owner = ${owner}), 0) as bigint) as own
      from ${results}`)
    const excess = excessOf(size, kept ?? { total: 0, own: 0 }, quota)
    if (excess === undefined) return false
    if (excess > 0) yield forgetOldest(owner, excess)
    yield db
      .insertInto('results')
      .values({ handle, owner, tool, created_at: createdAt, expires_at: expiresAt, size, body })
    const rows = runs.map((text, number) => ({ handle, number, body: text }))
    for (const some of portions(rows)) yield db.insertInto('result_runs').values(some)
    return true
  }

  /** Deletes an owner's oldest results until enough bytes are free. */
  const forgetOldest = (owner: string, excess: number) => sql`
    delete from ${results} where handle in (
      select handle from (
        select handle, size, sum(size) over (order by created_at, ${sql.ref(counter)} rows unbounded preceding) as freed
        from ${results} where owner = ${owner}
      ) as oldest where freed - size < ${excess}
    )`

  return {
    // Across all replicas, only one result is inserted at a time, because all results share the quota.
    insert: (result, quota, runs = []) => runSteps('results', () => insert(result, quota, runs)),
    async find(handle, owner, now) {
      const row = await db
        .selectFrom('results')
        .select(['handle', 'owner', 'tool', 'created_at', 'expires_at', 'body'])
        .where('handle', '=', handle)
        .where('owner', '=', owner)
        .where('expires_at', '>', now)
        .executeTakeFirst()
      return row === undefined ? undefined : fromRow<KeptResult>(row)
    },
    async readRuns(handle, first, count) {
      const rows = await db
        .selectFrom('result_runs')
        .select('body')
        .where('handle', '=', handle)
        .where('number', '>=', first)
        .where('number', '<', first + count)
        .orderBy('number')
        .execute()
      return rows.map(({ body }) => body)
    },
    async removeExpired(now) {
      return Number((await expired(now).executeTakeFirst()).numDeletedRows)
    },
  }
}

interface Sizes {
  readonly total: number
  readonly own: number
}

/**
 * Returns how many of the owner's bytes must be freed; undefined if even deleting all of the owner's results would not
 * free enough.
 */
function excessOf(size: number, { total, own }: Sizes, { ownerBytes, totalBytes }: ResultQuota) {
  const excess = Math.max(own + size - ownerBytes, total + size - totalBytes)
  return excess > own ? undefined : excess
}
