import { count } from './count-changes.ts'
import type { Migration } from './migration.ts'

/**
 * Long results of tools, kept for a while. Because they are written all the time, a write alone no longer means
 * that something changed: triggers count the changes that others have to hear of, whoever makes them.
 */
export const results: Migration = {
  version: 2,
  statements: [
    `create table results (
      handle text not null primary key,
      owner text not null,
      tool text not null,
      created_at integer not null,
      expires_at integer not null,
      size integer not null,
      body text not null
    ) strict`,
    'create index results_by_owner on results (owner, created_at, size)',
    'create index results_by_expiry on results (expires_at)',
    `create table changes (
      id integer not null primary key check (id = 1),
      version integer not null
    ) strict`,
    'insert into changes (id, version) values (1, 1)',
    count('insert', 'tokens'),
    // Not `last_used_at`.
    count('update of name, kind, hash, hint, scope, created_at, expires_at, revoked_at', 'tokens'),
    count('delete', 'tokens'),
    count('insert', 'eras'),
    count('update', 'eras'),
    count('delete', 'eras'),
  ],
}
