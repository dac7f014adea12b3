import { createHash } from 'node:crypto'
import type { Pool } from 'pg'
import { createRateStore } from '../rate-limiters.ts'
import type { RateStore } from '../store.ts'
import { translateError } from './postgres-errors.ts'

/** Counts events of all replicas together. A caller that is over its limit is refused without another query. */
export function createSharedRates(pool: Pool, store: string): RateStore {
  const counted = createRateStore(async ({ limit, windowMs }) => {
    const { RateLimiterPostgres } = await import('rate-limiter-flexible')
    return new RateLimiterPostgres({
      storeClient: pool,
      storeType: 'pool',
      schemaName: 'hintgate',
      tableName: 'rates',
      tableCreated: true,
      keyPrefix: `${limit}/${windowMs}`,
      points: limit,
      duration: windowMs / 1000,
      inMemoryBlockOnConsumed: limit + 1,
    })
  })
  return {
    async take(key, rate) {
      try {
        // Keys are hashed, because they contain names from outside and the key column is short.
        return await counted.take(createHash('sha256').update(key).digest('base64url'), rate)
      } catch (error) {
        throw translateError(error, store)
      }
    },
  }
}
