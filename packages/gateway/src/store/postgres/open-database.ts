import type { Client } from 'pg'
import { type Address, connectClient, readAddress } from './connect.ts'
import { type Migrated, migrate } from './migrate.ts'
import { MIGRATIONS, type Migration } from './migrations.ts'
import { translateError } from './postgres-errors.ts'

interface Opened {
  readonly client: Client
  readonly migrated: Migrated
}

/** A connection to the database in its newest schema. */
export async function openDatabase(
  address: Address,
  migrations: readonly Migration[] = MIGRATIONS,
): Promise<Opened> {
  const client = await connectClient(address)
  try {
    return { client, migrated: await migrate(client, { store: address.store, migrations }) }
  } catch (error) {
    await client.end().catch(() => {})
    throw translateError(error, address.store)
  }
}

export async function migrateDatabase(url: string): Promise<Migrated & { readonly store: string }> {
  const address = readAddress(url)
  const { client, migrated } = await openDatabase(address)
  await client.end()
  return { store: address.store, ...migrated }
}
