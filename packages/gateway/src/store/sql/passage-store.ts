import { sql } from 'kysely'
import type { PassageStore, StoredPassages } from '../passage-store.ts'
import { countOf, rowsOf, type SqlDatabase, type Steps } from './database.ts'

/** The share of the limit that a principal can add until the principal's passages are counted and old ones removed. */
const UNCOUNTED = 1 / 8
const MOST_PRINCIPALS = 10_000

export function createPassageStore({ db, runSteps, note }: SqlDatabase): PassageStore {
  /** Characters that this process has added for each principal since its passages were last counted. */
  const uncounted = new Map<string, number>()

  function* add(rows: readonly StoredPassages[], most: number): Steps<readonly number[]> {
    const ids: number[] = []
    for (const row of rows) {
      const [added = { id: 0 }] = yield* rowsOf(
        db
          .insertInto('passages')
          .values({ ...row })
          .returning('id'),
      )
      ids.push(added.id)
      if (mustCount(row, most)) yield* removeOldest(row.principal, { most, newest: added.id })
    }
    return ids
  }

  /** Returns true for a principal's first row, and whenever the principal has added an eighth of the limit since. */
  function mustCount({ principal, sealed }: StoredPassages, most: number): boolean {
    const size = (uncounted.get(principal) ?? most) + sealed.length
    const isDue = size > most * UNCOUNTED
    if (uncounted.size >= MOST_PRINCIPALS) uncounted.clear()
    uncounted.set(principal, isDue ? 0 : size)
    return isDue
  }

  function* removeOldest(
    principal: string,
    { most, newest }: { readonly most: number; readonly newest: number },
  ): Steps<void> {
    // Unlike `length`, `octet_length` does not read the texts. They contain ASCII characters only.
    const size = sql<number>`sum(octet_length(sealed)) over (order by id desc)`
    const sizes = db
      .selectFrom('passages')
      .select(['id', size.as('size')])
      .where('principal', '=', principal)
    const tooOld = db
      .selectFrom(sizes.as('sizes'))
      .select('id')
      .where('size', '>', most)
      .where('id', '<', newest)
    yield* countOf(db.deleteFrom('passages').where('id', 'in', tooOld))
  }

  return {
    add: (rows, most) =>
      runSteps({ principals: rows.map(({ principal }) => principal) }, () => add(rows, most)),
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
