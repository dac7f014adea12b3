import type { Kysely } from 'kysely'
import type { SessionStore } from '../session-store.ts'
import { sql } from './kysely.ts'
import type { SessionRow, Tables } from './schema.ts'

export function createSessionStore(db: Kysely<Tables>, note: () => void): SessionStore {
  return {
    async find(id) {
      const row = await db.selectFrom('sessions').selectAll().where('id', '=', id).executeTakeFirst()
      return row === undefined ? undefined : toSession(row)
    },
    async list(limit) {
      const rows = await db
        .selectFrom('sessions')
        .selectAll()
        .orderBy('used_at', 'desc')
        .limit(limit)
        .execute()
      return rows.map(toSession)
    },
    async save({ id, principal, legs, usedAt }, freshSince) {
      await db
        .insertInto('sessions')
        .values({ id, principal, legs, used_at: usedAt })
        .onConflict(conflict =>
          conflict.column('id').doUpdateSet({
            principal,
            used_at: sql`max(sessions.used_at, excluded.used_at)`,
            legs: sql`case when sessions.used_at < ${freshSince} then excluded.legs
              else json_patch(sessions.legs, excluded.legs) end`,
          }),
        )
        .execute()
    },
    async reset(id) {
      const result = await db.deleteFrom('sessions').where('id', '=', id).executeTakeFirst()
      if (result.numDeletedRows === 0n) return false
      note()
      return true
    },
    async removeBefore(moment) {
      const result = await db.deleteFrom('sessions').where('used_at', '<', moment).executeTakeFirst()
      return Number(result.numDeletedRows)
    },
  }
}

function toSession({ id, principal, legs, used_at }: SessionRow) {
  return { id, principal, legs, usedAt: used_at }
}
