import type { Kysely } from 'kysely'
import type { SessionStore } from '../session-store.ts'
import type { SessionRow, Tables } from '../sql/schema.ts'
import { createCommonSessionStore } from '../sql/session-store.ts'
import { inTransaction } from './locks.ts'

export function createSessionStore(db: Kysely<Tables>, note: () => Promise<void>): SessionStore {
  return {
    ...createCommonSessionStore(db, note),
    async save({ id, principal, legs, usedAt }, freshSince) {
      const row = { id, principal, legs, used_at: usedAt }
      while (!(await insert(db, row)) && !(await merge(db, row, freshSince)));
    },
  }
}

/** False if there is one already. */
async function insert(db: Kysely<Tables>, row: SessionRow): Promise<boolean> {
  const result = await db
    .insertInto('sessions')
    .values(row)
    .onConflict(conflict => conflict.column('id').doNothing())
    .executeTakeFirst()
  return result.numInsertedOrUpdatedRows === 1n
}

/**
 * The new legs over those that are there; false if they went away meanwhile. Not in one statement, because PostgreSQL
 * cannot read JSON with characters in it that a tool may have in its name.
 */
function merge(db: Kysely<Tables>, row: SessionRow, freshSince: number): Promise<boolean> {
  return inTransaction(db, [], async transaction => {
    const found = await transaction
      .selectFrom('sessions')
      .selectAll()
      .where('id', '=', row.id)
      .forUpdate()
      .executeTakeFirst()
    if (found === undefined) return false
    const isOver = found.used_at < freshSince
    const legs = isOver ? row.legs : JSON.stringify({ ...readLegs(found), ...readLegs(row) })
    const used_at = Math.max(found.used_at, row.used_at)
    await transaction
      .updateTable('sessions')
      .set({ ...row, legs, used_at })
      .where('id', '=', row.id)
      .execute()
    return true
  })
}

function readLegs({ legs }: SessionRow): object {
  return JSON.parse(legs) as object
}
