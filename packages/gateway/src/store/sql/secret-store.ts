import type { SecretStore } from '../store.ts'
import type { SqlDatabase } from './database.ts'

export function createSecretStore({ db, note }: SqlDatabase): SecretStore {
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
