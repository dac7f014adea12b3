import type { Kysely as Database } from 'kysely'
import type { Client } from 'pg'
import { createStores } from '../sql/create-stores.ts'
import type { SqlDatabase } from '../sql/database.ts'
import { Kysely, sql } from '../sql/kysely.ts'
import type { Tables } from '../sql/schema.ts'
import type { Store } from '../store.ts'
import { createAuditStore } from './audit-store.ts'
import { type Changes, watchChanges } from './changes.ts'
import { type Address, connectClient, createDialect, createPool, readAddress } from './connect.ts'
import { createRunSteps } from './locks.ts'
import { withNul, withoutNul } from './nul.ts'
import { openDatabase } from './open-database.ts'
import { translateError } from './postgres-errors.ts'
import { createSharedRates } from './rate-store.ts'

const CLOSE_MS = 2000

/** Opens a store in the schema `hintgate` of a PostgreSQL database. Any number of replicas can share it. */
export async function openPostgresStore(url: string): Promise<Store> {
  const address = readAddress(url)
  const { client } = await openDatabase(address)
  const pool = createPool(address)
  const db = new Kysely<Tables>({ dialect: createDialect(pool, address.store) }).withSchema('hintgate')
  const changes = await openChanges(client, address, db)
  const database: SqlDatabase = {
    db,
    schema: 'hintgate.',
    counter: 'id',
    runSteps: createRunSteps(db),
    note: changes.note,
    names: { write: withoutNul, read: withNul },
  }
  let closing: Promise<void> | undefined
  return {
    ...createStores(database),
    audit: createAuditStore(database),
    rates: createSharedRates(pool, address.store),
    isShared: true,
    onChange: changes.onChange,
    version: changes.version,
    close: () => {
      closing ??= atMost(CLOSE_MS, [changes.close(), db.destroy().then(() => pool.end())])
      return closing
    },
  }
}

async function openChanges(client: Client, address: Address, db: Database<Tables>): Promise<Changes> {
  try {
    return await watchChanges(client, {
      connect: () => connectClient(address),
      async count() {
        const { rows } = await sql<{ version: number }>`select version from hintgate.changes`.execute(db)
        return rows[0]?.version ?? 0
      },
    })
  } catch (error) {
    throw translateError(error, address.store)
  }
}

/** Waits for `work`, but not longer than `ms`: a server that is gone never confirms the close. */
async function atMost(ms: number, work: readonly Promise<unknown>[]): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise(resolve => {
    timer = setTimeout(resolve, ms)
  })
  await Promise.race([Promise.all(work), late])
  clearTimeout(timer)
}
