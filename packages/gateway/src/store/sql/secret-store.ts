import type { Kysely } from 'kysely'
import type { SecretStore } from '../store.ts'
import type { Tables } from './schema.ts'

export function createSecretStore(db: Kysely<Tables>, note: () => void | Promise<void>): SecretStore {
  return {
    async find(name) {
      const row = await db.selectFrom('secrets').select('sealed').where('name', '=', name).executeTakeFirst()
      return row?.sealed
    },
    async save(name, sealed) {
      await db
        .insertInto('secrets')
        .values({ name, sealed })
        .onConflict(conflict => conflict.column('name').doUpdateSet({ sealed }))
        .execute()
      await note()
    },
    async remove(name) {
      const result = await db.deleteFrom('secrets').where('name', '=', name).executeTakeFirst()
      if (result.numDeletedRows === 0n) return false
      await note()
      return true
    },
  }
}
