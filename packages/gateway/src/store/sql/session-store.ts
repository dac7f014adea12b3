import { mergeRiskFactors } from '@hintgate/metadata'
import type { SessionStore, StoredSession } from '../session-store.ts'
import { noteIfChanged, rowsOf, type SqlDatabase, type Steps } from './database.ts'
import { fromRow, type Tables } from './schema.ts'

export function createSessionStore({ db, runSteps, note }: SqlDatabase): SessionStore {
  /**
   * Merges risk factors outside the database: they may contain tool names with characters that PostgreSQL's JSON cannot
   * represent.
   */
  function* save(session: StoredSession, freshSince: number): Steps<void> {
    const { usedAt, riskFactors, ...named } = session
    const row = { ...named, legs: riskFactors, used_at: usedAt }
    const added = db
      .insertInto('sessions')
      .values(row)
      // Changes nothing, but locks an existing row until the transaction ends.
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
    save: (session, freshSince) => runSteps('rows', () => save(session, freshSince)),
    async find(id) {
      const row = await db.selectFrom('sessions').selectAll().where('id', '=', id).executeTakeFirst()
      return row === undefined ? undefined : readRow(row)
    },
    async list(limit) {
      const newest = db.selectFrom('sessions').selectAll().orderBy('used_at', 'desc').limit(limit)
      return (await newest.execute()).map(readRow)
    },
    async reset(id) {
      const result = await db.deleteFrom('sessions').where('id', '=', id).executeTakeFirst()
      return noteIfChanged(result.numDeletedRows, note)
    },
    async removeBefore(moment) {
      const result = await db.deleteFrom('sessions').where('used_at', '<', moment).executeTakeFirst()
      return Number(result.numDeletedRows)
    },
  }
}

function readRow({ legs, ...row }: Tables['sessions']): StoredSession {
  return { ...fromRow<Omit<StoredSession, 'riskFactors'>>(row), riskFactors: renameWayOut(legs) }
}

/** Merges two sets of risk factors, both given as JSON. */
function merge(before: string, added: string): string {
  const former = renameWayOut(before)
  return former === added ? added : JSON.stringify(mergeRiskFactors(JSON.parse(former), JSON.parse(added)))
}

/** Renames `way_out`, which older versions stored instead of `external_communication`. */
function renameWayOut(text: string): string {
  if (!text.includes('"way_out"')) return text
  const { way_out, ...others } = JSON.parse(text) as Record<string, unknown>
  return way_out === undefined ? text : JSON.stringify({ external_communication: way_out, ...others })
}
