import type { Kysely } from 'kysely'
import { sql } from '../sql/kysely.ts'
import { createOverrideReader } from '../sql/override-store.ts'
import type { Tables } from '../sql/schema.ts'
import type { OverrideStore } from '../store.ts'
import { inTransaction } from './locks.ts'

export function createOverrideStore(db: Kysely<Tables>, note: () => Promise<void>): OverrideStore {
  return {
    ...createOverrideReader(db),
    async set({ server, tool, hints, by, at }) {
      const change = { hints: JSON.stringify(hints), set_by: by, set_at: at }
      await inTransaction(db, [], async transaction => {
        await transaction
          .insertInto('overrides')
          .values({ server, tool, ...change })
          .onConflict(conflict => conflict.columns(['server', 'tool']).doUpdateSet(change))
          .execute()
        // After it: whoever has the row writes the history, so both are in the same order.
        await remember(transaction, { server, tool, ...change })
      })
      await note()
    },
    async remove(server, tool, { by, at }) {
      const isThere = await inTransaction(db, [], async transaction => {
        const gone = await transaction
          .deleteFrom('overrides')
          .where('server', '=', server)
          .where('tool', '=', tool)
          .executeTakeFirst()
        if (gone.numDeletedRows === 0n) return false
        await remember(transaction, { server, tool, hints: null, set_by: by, set_at: at })
        return true
      })
      if (isThere) await note()
      return isThere
    },
  }
}

/** The database numbers them. */
async function remember(db: Kysely<Tables>, row: Omit<Tables['override_history'], 'id'>): Promise<void> {
  const { server, tool, hints, set_by, set_at } = row
  await sql`
    insert into hintgate.override_history (server, tool, hints, set_by, set_at)
    values (${server}, ${tool}, ${hints}, ${set_by}, ${set_at})`.execute(db)
}
