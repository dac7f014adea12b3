import type { HintValues } from '@hintgate/metadata'
import type { Kysely } from 'kysely'
import type { OverrideStore } from '../store.ts'
import type { Tables } from './schema.ts'

/** The reading half; what is written goes into two tables at once, which is a matter of the database. */
export function createOverrideReader(db: Kysely<Tables>): Pick<OverrideStore, 'list' | 'history'> {
  return {
    async list() {
      const rows = await db.selectFrom('overrides').selectAll().orderBy('server').orderBy('tool').execute()
      return rows.map(({ server, tool, hints, set_by, set_at }) => ({
        server,
        tool,
        hints: readHints(hints),
        by: set_by,
        at: set_at,
      }))
    },
    async history(server, tool) {
      const rows = await db
        .selectFrom('override_history')
        .selectAll()
        .where('server', '=', server)
        .where('tool', '=', tool)
        .orderBy('id')
        .execute()
      return rows.map(({ hints, set_by, set_at }) => ({
        ...(hints === null ? {} : { hints: readHints(hints) }),
        by: set_by,
        at: set_at,
      }))
    },
  }
}

function readHints(text: string): HintValues {
  return JSON.parse(text) as HintValues
}
