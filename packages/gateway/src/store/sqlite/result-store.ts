import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import type { Kysely } from 'kysely'
import {
  createCommonResultStore,
  excessOf,
  type KeptSizes,
  type NewResult,
  toNewResult,
} from '../sql/result-store.ts'
import type { Tables } from '../sql/schema.ts'
import type { ResultQuota, ResultStore } from '../store.ts'
import { translateError } from './sqlite-errors.ts'
import { inTransaction } from './transaction.ts'

interface ResultStoreDeps {
  readonly database: DatabaseSyncInstance
  readonly db: Kysely<Tables>
  readonly file: string
}

/** Nobody is told of these writes: they change nothing that anybody has read before. */
export function createResultStore({ database, db, file }: ResultStoreDeps): ResultStore {
  const keep = prepareInsert(database)
  return {
    async insert(result, quota, runs) {
      try {
        return inTransaction(database, () => keep(toNewResult(result, runs), quota))
      } catch (error) {
        throw translateError(error, file)
      }
    },
    ...createCommonResultStore(db),
  }
}

function prepareInsert(database: DatabaseSyncInstance): (result: NewResult, quota: ResultQuota) => boolean {
  const forgetExpired = database.prepare('delete from results where expires_at <= ?')
  const sum = database.prepare(
    `select coalesce(sum(size), 0) as total, coalesce(sum(size) filter (where owner = ?), 0) as own from results`,
  )
  // Those before which not enough has been freed yet.
  const forgetOldest = database.prepare(
    `delete from results where handle in (
      select handle from (
        select handle, size, sum(size) over (order by created_at, rowid rows unbounded preceding) as freed
        from results where owner = ?
      ) where freed - size < ?
    )`,
  )
  const insert = database.prepare(
    `insert into results (handle, owner, tool, created_at, expires_at, size, body) values (?, ?, ?, ?, ?, ?, ?)`,
  )
  const insertRun = database.prepare('insert into result_runs (handle, number, body) values (?, ?, ?)')
  return ({ row, runs }, quota) => {
    forgetExpired.run(row.created_at)
    const excess = excessOf(row.size, sum.get(row.owner) as KeptSizes, quota)
    if (excess === undefined) return false
    if (excess > 0) forgetOldest.run(row.owner, excess)
    insert.run(row.handle, row.owner, row.tool, row.created_at, row.expires_at, row.size, row.body)
    for (const { handle, number, body } of runs) insertRun.run(handle, number, body)
    return true
  }
}
