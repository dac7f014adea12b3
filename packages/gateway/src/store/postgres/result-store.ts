import type { Kysely } from 'kysely'
import { sql } from '../sql/kysely.ts'
import {
  createCommonResultStore,
  excessOf,
  type KeptSizes,
  type NewResult,
  toNewResult,
} from '../sql/result-store.ts'
import type { Tables } from '../sql/schema.ts'
import type { ResultQuota, ResultStore } from '../store.ts'
import { inTransaction, lockOf } from './locks.ts'

/** Nobody is told of these writes: they change nothing that anybody has read before. */
export function createResultStore(db: Kysely<Tables>): ResultStore {
  return {
    ...createCommonResultStore(db),
    insert: (result, quota, runs) =>
      // One after the other, over all replicas: the quota is for all together.
      inTransaction(db, [lockOf('results')], transaction =>
        keep(transaction, toNewResult(result, runs), quota),
      ),
  }
}

/** Few enough at once for the number of parameters that a statement may have. */
const SOME_RUNS = 1000

async function keep(db: Kysely<Tables>, { row, runs }: NewResult, quota: ResultQuota): Promise<boolean> {
  await createCommonResultStore(db).removeExpired(row.created_at)
  const excess = excessOf(row.size, await sumSizes(db, row.owner), quota)
  if (excess === undefined) return false
  if (excess > 0) await forgetOldest(db, row.owner, excess)
  await db.insertInto('results').values(row).execute()
  for (let at = 0; at < runs.length; at += SOME_RUNS)
    await db
      .insertInto('result_runs')
      .values(runs.slice(at, at + SOME_RUNS))
      .execute()
  return true
}

async function sumSizes(db: Kysely<Tables>, owner: string): Promise<KeptSizes> {
  const { rows } = await sql<KeptSizes>`
    select coalesce(sum(size), 0)::bigint as total,
      coalesce(sum(size) filter (where owner = ${owner}), 0)::bigint as own
    from hintgate.results`.execute(db)
  return rows[0] ?? { total: 0, own: 0 }
}

/** Those before which not enough has been freed yet. */
async function forgetOldest(db: Kysely<Tables>, owner: string, excess: number): Promise<void> {
  await sql`
    delete from hintgate.results where handle in (
      select handle from (
        select handle, size, sum(size) over (order by created_at, id rows unbounded preceding) as freed
        from hintgate.results where owner = ${owner}
      ) as oldest where freed - size < ${excess}
    )`.execute(db)
}
