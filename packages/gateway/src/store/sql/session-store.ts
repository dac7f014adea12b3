import type { SessionStore, StoredSession } from '../session-store.ts'
import { rowsOf, type SqlDatabase, type Steps, tell } from './database.ts'
import { fromRow } from './schema.ts'

export function createSessionStore({ db, inOneGo, note }: SqlDatabase): SessionStore {
  /** Not in one statement, because PostgreSQL cannot read JSON with characters in it that a tool may have in its name. */
  function* save({ usedAt, ...session }: StoredSession, freshSince: number): Steps<void> {
    const row = { ...session, used_at: usedAt }
    const added = db
      .insertInto('sessions')
      .values(row)
      // Changes nothing, but nobody else changes or removes the row that is there until we are through.
      .onConflict(conflict => conflict.column('id').doUpdateSet({ id: row.id }))
      .returning(['legs', 'used_at'])
    const [found = row] = yield* rowsOf(added)
    const legs = found.used_at < freshSince ? row.legs : merge(found.legs, row.legs)
    const used_at = Math.max(found.used_at, usedAt)
    yield db
      .updateTable('sessions')
      .set({ ...row, legs, used_at })
      .where('id', '=', row.id)
  }

  return {
    save: (session, freshSince) => inOneGo('rows', () => save(session, freshSince)),
    async find(id) {
      const row = await db.selectFrom('sessions').selectAll().where('id', '=', id).executeTakeFirst()
      return row === undefined ? undefined : fromRow<StoredSession>(row)
    },
    async list(limit) {
      const newest = db.selectFrom('sessions').selectAll().orderBy('used_at', 'desc').limit(limit)
      return (await newest.execute()).map(row => fromRow<StoredSession>(row))
    },
    async reset(id) {
      const result = await db.deleteFrom('sessions').where('id', '=', id).executeTakeFirst()
      return tell(result.numDeletedRows, note)
    },
    async removeBefore(moment) {
      const result = await db.deleteFrom('sessions').where('used_at', '<', moment).executeTakeFirst()
      return Number(result.numDeletedRows)
    },
  }
}

/** Both as JSON. Of a leg that is in both, the later word counts. */
function merge(before: string, added: string): string {
  return before === added ? added : JSON.stringify({ ...JSON.parse(before), ...JSON.parse(added) })
}
