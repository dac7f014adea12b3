import { count } from './count-changes.ts'
import type { Migration } from './migration.ts'

/** Sealed with the secret key, which is not in here. */
export const secrets: Migration = {
  version: 7,
  statements: [
    'create table secrets (name text not null primary key, sealed text not null) strict',
    count('insert', 'secrets'),
    count('update', 'secrets'),
    count('delete', 'secrets'),
  ],
}
