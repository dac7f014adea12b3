import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import type { Kysely } from 'kysely'
import { createOverrideReader } from '../sql/override-store.ts'
import type { Tables } from '../sql/schema.ts'
import type { OverrideStore } from '../store.ts'
import { translateError } from './sqlite-errors.ts'
import { inTransaction } from './transaction.ts'

interface OverrideStoreDeps {
  readonly database: DatabaseSyncInstance
  readonly db: Kysely<Tables>
  readonly file: string
  readonly note: () => void
}

export function createOverrideStore({ database, db, file, note }: OverrideStoreDeps): OverrideStore {
  const write = prepareWrites(database)
  return {
    ...createOverrideReader(db),
    async set({ server, tool, hints, by, at }) {
      inOneGo(() => {
        const text = JSON.stringify(hints)
        write.set.run(server, tool, text, by, at)
        write.remember.run(server, tool, text, by, at)
      })
      note()
    },
    async remove(server, tool, { by, at }) {
      const isThere = inOneGo(() => {
        if (write.remove.run(server, tool).changes === 0) return false
        write.remember.run(server, tool, null, by, at)
        return true
      })
      if (isThere) note()
      return isThere
    },
  }

  function inOneGo<T>(work: () => T): T {
    try {
      return inTransaction(database, work)
    } catch (error) {
      throw translateError(error, file)
    }
  }
}

function prepareWrites(database: DatabaseSyncInstance) {
  return {
    set: database.prepare(
      `insert into overrides (server, tool, hints, set_by, set_at) values (?, ?, ?, ?, ?)
       on conflict do update set hints = excluded.hints, set_by = excluded.set_by, set_at = excluded.set_at`,
    ),
    remove: database.prepare('delete from overrides where server = ? and tool = ?'),
    remember: database.prepare(
      'insert into override_history (server, tool, hints, set_by, set_at) values (?, ?, ?, ?, ?)',
    ),
  }
}
