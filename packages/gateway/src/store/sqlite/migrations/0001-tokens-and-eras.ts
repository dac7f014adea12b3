import type { Migration } from './migration.ts'

/**
 * Tokens keep their row when revoked, so that a list can say so; only a new token of that name replaces it.
 */
export const tokensAndEras: Migration = {
  version: 1,
  statements: [
    `create table tokens (
      name text not null primary key,
      kind text not null check (kind in ('agent', 'person')),
      hash text not null unique,
      hint text not null,
      scope text not null,
      created_at integer not null,
      expires_at integer,
      revoked_at integer,
      last_used_at integer
    ) strict`,
    `create table eras (
      server text not null,
      definition text not null,
      era text not null check (era in ('legacy', 'modern')),
      primary key (server, definition)
    ) strict`,
  ],
}
