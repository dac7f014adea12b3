import type { HintValues } from '@hintgate/metadata'
import type { Kysely } from 'kysely'
import type { OverrideStore } from '../store.ts'
import type { Tables } from './schema.ts'

export function createOverrideStore(db: Kysely<Tables>, note: () => void): OverrideStore {
  return {
    async list() {
      const rows = await db.selectFrom('overrides').selectAll().orderBy('server').orderBy('tool').execute()
      return rows.map(({ server, tool, hints, set_by, set_at }) => ({
        server,
        tool,
        hints: JSON.parse(hints) as HintValues,
        by: set_by,
        at: set_at,
      }))
    },
    async set({ server, tool, hints, by, at }) {
      const values = { hints: JSON.stringify(hints), set_by: by, set_at: at }
      await db
        .insertInto('overrides')
        .values({ server, tool, ...values })
        .onConflict(conflict => conflict.columns(['server', 'tool']).doUpdateSet(values))
        .execute()
      note()
    },
    async remove(server, tool) {
      const result = await db
        .deleteFrom('overrides')
        .where('server', '=', server)
        .where('tool', '=', tool)
        .executeTakeFirst()
      if (result.numDeletedRows === 0n) return false
      note()
      return true
    },
  }
}
