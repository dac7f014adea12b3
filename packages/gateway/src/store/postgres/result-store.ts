import type { Kysely } from 'kysely'
import type { ResultRow, Tables } from '../sqlite/schema.ts'
import type { KeptResult, ResultQuota, ResultStore } from '../store.ts'
import { sql } from './kysely.ts'
import { inTransaction, lockOf } from './locks.ts'

/** Nobody is told of these writes: they change nothing that anybody has read before. */
export function createResultStore(db: Kysely<Tables>): ResultStore {
  return {
    insert: (result, quota) =>
      // One after the other, over all replicas: the quota is for all together.
      inTransaction(db, [lockOf('results')], transaction => keep(transaction, toRow(result), quota)),
    async find(handle, owner, now) {
      const row = await db
        .selectFrom('results')
        .selectAll()
        .where('handle', '=', handle)
        .where('owner', '=', owner)
        .where('expires_at', '>', now)
        .executeTakeFirst()
      return row === undefined ? undefined : toResult(row)
    },
    removeExpired: now => forgetExpired(db, now),
  }
}

async function keep(
  db: Kysely<Tables>,
  row: ResultRow,
  { ownerBytes, totalBytes }: ResultQuota,
): Promise<boolean> {
  await forgetExpired(db, row.created_at)
  const { total, own } = await sumSizes(db, row.owner)
  const excess = Math.max(own + row.size - ownerBytes, total + row.size - totalBytes)
  if (excess > own) return false
  if (excess > 0) await forgetOldest(db, row.owner, excess)
  await db.insertInto('results').values(row).execute()
  return true
}

async function forgetExpired(db: Kysely<Tables>, now: number): Promise<number> {
  const result = await db.deleteFrom('results').where('expires_at', '<=', now).executeTakeFirst()
  return Number(result.numDeletedRows)
}

async function sumSizes(
  db: Kysely<Tables>,
  owner: string,
): Promise<{ readonly total: number; readonly own: number }> {
  const { rows } = await sql<{ total: number; own: number }>`
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

function toRow({ handle, owner, tool, createdAt, expiresAt, body }: KeptResult): ResultRow {
  const size = Buffer.byteLength(body)
  return { handle, owner, tool, created_at: createdAt, expires_at: expiresAt, size, body }
}

function toResult({ handle, owner, tool, created_at, expires_at, body }: ResultRow): KeptResult {
  return { handle, owner, tool, createdAt: created_at, expiresAt: expires_at, body }
}
