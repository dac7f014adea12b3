import { announce } from './announce.ts'
import { TEXT } from './column-types.ts'
import type { Migration } from './migration.ts'

/** Sealed with the secret key, which is not in here. */
export const secrets: Migration = {
  version: 7,
  statements: [
    `create table hintgate.secrets (name ${TEXT} not null primary key, sealed ${TEXT} not null)`,
    announce('insert', 'secrets'),
    announce('update', 'secrets'),
    announce('delete', 'secrets'),
  ],
}
