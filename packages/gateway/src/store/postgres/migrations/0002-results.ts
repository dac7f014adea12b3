import { TEXT } from './column-types.ts'
import type { Migration } from './migration.ts'

/** Long results of tools, kept for a while. Nobody is told of them. */
export const results: Migration = {
  version: 2,
  statements: [
    `create table hintgate.results (
      id bigint not null generated always as identity,
      handle ${TEXT} not null primary key,
      owner ${TEXT} not null,
      tool ${TEXT} not null,
      created_at bigint not null,
      expires_at bigint not null,
      size bigint not null,
      body ${TEXT} not null
    )`,
    'create index results_by_owner on hintgate.results (owner, created_at, id, size)',
    'create index results_by_expiry on hintgate.results (expires_at)',
  ],
}
