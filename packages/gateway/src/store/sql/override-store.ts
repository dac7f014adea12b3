import type { HintValues } from '@hintgate/metadata'
import type { OverrideChange, OverrideStore } from '../store.ts'
import { countOf, type SqlDatabase, type Steps } from './database.ts'

export function createOverrideStore({ db, runSteps, note }: SqlDatabase): OverrideStore {
  function* set(server: string, tool: string, change: Written): Steps<void> {
    yield db
      .insertInto('overrides')
      .values({ server, tool, ...change })
      .onConflict(conflict => conflict.columns(['server', 'tool']).doUpdateSet(change))
    // The history is written after the upsert, which locks the row, so both tables change in the same order.
    yield db.insertInto('override_history').values({ server, tool, ...change })
  }

  function* remove(server: string, tool: string, change: Omit<Written, 'hints'>): Steps<boolean> {
    const removal = db.deleteFrom('overrides').where('server', '=', server).where('tool', '=', tool)
    if ((yield* countOf(removal)) === 0) return false
    yield db.insertInto('override_history').values({ server, tool, hints: null, ...change })
    return true
  }

  return {
    async list() {
      const rows = await db.selectFrom('overrides').selectAll().orderBy('server').orderBy('tool').execute()
      return rows.map(({ server, tool, hints, ...change }) => ({
        server,
        tool,
        hints: JSON.parse(hints) as HintValues,
        ...fromChange(change),
      }))
    },
    async set({ server, tool, hints, by, at }) {
      const change = { hints: JSON.stringify(hints), set_by: by, set_at: at }
      await runSteps('rows', () => set(server, tool, change))
      await note()
    },
    async remove(server, tool, { by, at }) {
      const isThere = await runSteps('rows', () => remove(server, tool, { set_by: by, set_at: at }))
      if (isThere) await note()
      return isThere
    },
    async history(server, tool) {
      const all = db.selectFrom('override_history').selectAll().orderBy('id')
      const rows = await all.where('server', '=', server).where('tool', '=', tool).execute()
      return rows.map(({ hints, ...change }) => ({
        ...(hints === null ? {} : { hints: JSON.parse(hints) as HintValues }),
        ...fromChange(change),
      }))
    },
  }
}

interface Written {
  readonly hints: string
  readonly set_by: string
  readonly set_at: number
}

function fromChange({ set_by, set_at }: Omit<Written, 'hints'>): Pick<OverrideChange, 'by' | 'at'> {
  return { by: set_by, at: set_at }
}
