import type { Migration } from './migration.ts'

/**
 * Kept results in runs of about a page, so that a page is read without the rest. Results from before are forgotten: they
 * would have been within the hour.
 */
export const resultRuns: Migration = {
  version: 9,
  statements: [
    'delete from results',
    `create table result_runs (
      handle text not null references results (handle) on delete cascade,
      number integer not null,
      body text not null,
      primary key (handle, number)
    ) strict`,
  ],
}
