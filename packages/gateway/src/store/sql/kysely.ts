import { createRequire } from 'node:module'

/**
 * Kysely's CommonJS build: its ES modules are several hundred small files, and reading them takes 100 ms longer at
 * every start (docs/decisions/0014).
 */
export const { CompiledQuery, Kysely, PostgresDialect, SqliteDialect, sql } = createRequire(import.meta.url)(
  'kysely',
) as typeof import('kysely')
