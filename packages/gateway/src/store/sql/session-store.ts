import type { Kysely } from 'kysely'
import type { SessionStore, StoredSession } from '../session-store.ts'
import type { SessionRow, Tables } from './schema.ts'

/** All of it but `save`: how legs are put over others is a matter of the database. */
export function createCommonSessionStore(
  db: Kysely<Tables>,
  note: () => void | Promise<void>,
): Omit<SessionStore, 'save'> {
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
    async reset(id) {
      const result = await db.deleteFrom('sessions').where('id', '=', id).executeTakeFirst()
      if (result.numDeletedRows === 0n) return false
      await note()
      return true
    },
    async removeBefore(moment) {
      const result = await db.deleteFrom('sessions').where('used_at', '<', moment).executeTakeFirst()
      return Number(result.numDeletedRows)
    },
  }
}

function toSession({ id, principal, legs, used_at }: SessionRow): StoredSession {
  return { id, principal, legs, usedAt: used_at }
}
