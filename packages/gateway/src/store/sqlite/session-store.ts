import type { Kysely } from 'kysely'
import type { SessionStore } from '../session-store.ts'
import { sql } from '../sql/kysely.ts'
import type { Tables } from '../sql/schema.ts'
import { createCommonSessionStore } from '../sql/session-store.ts'

export function createSessionStore(db: Kysely<Tables>, note: () => void): SessionStore {
  return {
    ...createCommonSessionStore(db, note),
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
  }
}
