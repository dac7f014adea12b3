import { sql } from 'kysely'
import type { PassageStore, StoredPassages } from '../passage-store.ts'
import { countOf, rowsOf, type SqlDatabase, type Steps } from './database.ts'

export function createPassageStore({ db, runSteps, note }: SqlDatabase): PassageStore {
  function* add(passages: StoredPassages, most: number): Steps<number> {
    const [added = { id: 0 }] = yield* rowsOf(
      db
        .insertInto('passages')
        .values({ ...passages })
        .returning('id'),
    )
    const size = sql<number>`sum(length(sealed)) over (order by id desc)`
    const sizes = db
      .selectFrom('passages')
      .select(['id', size.as('size')])
      .where('principal', '=', passages.principal)
    const tooOld = db
      .selectFrom(sizes.as('sizes'))
      .select('id')
      .where('size', '>', most)
      .where('id', '<', added.id)
    yield* countOf(db.deleteFrom('passages').where('id', 'in', tooOld))
    return added.id
  }

  return {
    add: (passages, most) => runSteps('rows', () => add(passages, most)),
    async find(principal, after) {
      return db
        .selectFrom('passages')
        .selectAll()
        .where('principal', '=', principal)
        .where('id', '>', after)
        .orderBy('id')
        .execute()
    },
    async reset(session) {
      const result = await db.deleteFrom('passages').where('session', '=', session).executeTakeFirst()
      if (result.numDeletedRows > 0n) await note()
    },
    async removeBefore(moment) {
      const result = await db.deleteFrom('passages').where('at', '<', moment).executeTakeFirst()
      return Number(result.numDeletedRows)
    },
  }
}
