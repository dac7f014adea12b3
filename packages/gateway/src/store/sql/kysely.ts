import { createRequire } from 'node:module'

/**
 * Kysely's CommonJS build. Its ES modules are several hundred small files, which add 100 ms to every start
 * (docs/decisions/0014).
 */
export const { CompiledQuery, Kysely, PostgresDialect, SqliteDialect, sql } = createRequire(import.meta.url)(
  'kysely',
) as typeof import('kysely')
