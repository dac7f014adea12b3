import { createRequire } from 'node:module'

/* The CommonJS build, for the reason that `sqlite/kysely.ts` gives. */
export const { CompiledQuery, Kysely, PostgresDialect, sql } = createRequire(import.meta.url)(
  'kysely',
) as typeof import('kysely')
