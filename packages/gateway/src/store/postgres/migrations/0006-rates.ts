import { TEXT } from './column-types.ts'
import type { Migration } from './migration.ts'

/** How much of what is limited was used; rows that are over are removed by who counts. Nobody is told of changes. */
export const rates: Migration = {
  version: 6,
  statements: [
    `create unlogged table hintgate.rates (
      key ${TEXT} not null primary key,
      points integer not null,
      expire bigint
    )`,
  ],
}
