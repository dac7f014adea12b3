import type { Kysely } from 'kysely'
import type { KeptResult, ResultQuota, ResultStore } from '../store.ts'
import type { ResultRow, Tables } from './schema.ts'

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

export function toResultRow({ handle, owner, tool, createdAt, expiresAt, body }: KeptResult): ResultRow {
  const size = Buffer.byteLength(body)
  return { handle, owner, tool, created_at: createdAt, expires_at: expiresAt, size, body }
}

function toResult({ handle, owner, tool, created_at, expires_at, body }: ResultRow): KeptResult {
  return { handle, owner, tool, createdAt: created_at, expiresAt: expires_at, body }
}
