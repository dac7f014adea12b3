import type { PostgresDialect as Dialect, PostgresPoolClient } from 'kysely'
import type { Pool, PoolClient } from 'pg'
import { hasCode } from '../../base/errors.ts'
import { PostgresDialect } from '../sql/kysely.ts'
import { translateError } from './postgres-errors.ts'

/** Kysely on the pool, with our errors. */
export function createDialect(pool: Pool, store: string): Dialect {
  return new PostgresDialect({
    // Kysely ends only what it has used, so the pool is ended by who made it.
    pool: { connect: () => takeClient(pool, store), end: async () => {} },
  })
}

/** A client that broke, or is still busy with what we no longer wait for, is not given to anybody else. */
async function takeClient(pool: Pool, store: string): Promise<PostgresPoolClient> {
  let isBroken = false
  const coded = (error: unknown): never => {
    const translated = translateError(error, store)
    isBroken ||= hasCode(translated, 'store_unreachable')
    throw translated
  }
  const client: PoolClient = await pool.connect().catch(coded)
  const query = (text: string, parameters: unknown[]) => client.query(text, parameters).catch(coded)
  return {
    // Nobody here streams with a cursor, which is the other thing that Kysely may ask for.
    query: query as unknown as PostgresPoolClient['query'],
    release: () => client.release(isBroken),
  }
}
