import { TEXT } from './column-types.ts'
import type { Migration } from './migration.ts'

/**
 * Kept results in runs of about a page, so that a page is read without the rest. Results from before are forgotten: they
 * would have been within the hour.
 */
export const resultRuns: Migration = {
  version: 9,
  statements: [
    'delete from hintgate.results',
    `create table hintgate.result_runs (
      handle ${TEXT} not null references hintgate.results (handle) on delete cascade,
      number bigint not null,
      body ${TEXT} not null,
      primary key (handle, number)
    )`,
  ],
}
