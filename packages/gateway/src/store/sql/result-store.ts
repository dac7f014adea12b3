import type { Kysely } from 'kysely'
import type { KeptResult, ResultQuota, ResultStore } from '../store.ts'
import type { ResultRow, ResultRunRow, Tables } from './schema.ts'

/** All but `insert`, which needs a lock of the database's own kind. */
export function createCommonResultStore(db: Kysely<Tables>): Omit<ResultStore, 'insert'> {
  return {
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
      const result = await db.deleteFrom('results').where('expires_at', '<=', now).executeTakeFirst()
      return Number(result.numDeletedRows)
    },
  }
}

export type KeptSizes = { readonly total: number; readonly own: number }

/** How much of the owner's must go before there is room; undefined when even all of it would not do. */
export function excessOf(
  size: number,
  { total, own }: KeptSizes,
  { ownerBytes, totalBytes }: ResultQuota,
): number | undefined {
  const excess = Math.max(own + size - ownerBytes, total + size - totalBytes)
  return excess > own ? undefined : excess
}

export interface NewResult {
  readonly row: ResultRow
  readonly runs: readonly ResultRunRow[]
}

export function toNewResult(result: KeptResult, runs: readonly string[] = []): NewResult {
  const { handle, owner, tool, createdAt, expiresAt, body } = result
  const size = [body, ...runs].reduce((sum, text) => sum + Buffer.byteLength(text), 0)
  return {
    row: { handle, owner, tool, created_at: createdAt, expires_at: expiresAt, size, body },
    runs: runs.map((text, number) => ({ handle, number, body: text })),
  }
}

function toResult({ handle, owner, tool, created_at, expires_at, body }: ResultRow): KeptResult {
  return { handle, owner, tool, createdAt: created_at, expiresAt: expires_at, body }
}
