import type { EraStore } from '../store.ts'
import type { SqlDatabase } from './database.ts'

export function createEraStore({ db, note }: SqlDatabase): EraStore {
  return {
    async find(server, definition) {
      const row = await db
        .selectFrom('eras')
        .select('era')
        .where('server', '=', server)
        .where('definition', '=', definition)
        .executeTakeFirst()
      return row?.era
    },
    async remember(server, definition, era) {
      const result = await db
        .insertInto('eras')
        .values({ server, definition, era })
        // Writing what is there already would wake everybody up for nothing.
        .onConflict(conflict =>
          conflict.columns(['server', 'definition']).doUpdateSet({ era }).where('eras.era', '!=', era),
        )
        .executeTakeFirst()
      if (result.numInsertedOrUpdatedRows) await note()
    },
  }
}
