import { announce } from './announce.ts'
import { TEXT } from './column-types.ts'
import type { Migration } from './migration.ts'

/**
 * Tokens keep their row when revoked, so that a list can say so; only a new token of that name replaces it. A
 * transaction counts as one change, however many rows it touches.
 */
export const tokensAndEras: Migration = {
  version: 1,
  statements: [
    `create table hintgate.changes (
      id integer not null primary key check (id = 1),
      version bigint not null
    )`,
    'insert into hintgate.changes (id, version) values (1, 1)',
    `create function hintgate.announce_change() returns trigger language plpgsql as $$
      declare counted bigint;
      begin
        if current_setting('hintgate.is_counted', true) = 'yes' then return null; end if;
        perform set_config('hintgate.is_counted', 'yes', true);
        update hintgate.changes set version = version + 1 returning version into counted;
        perform pg_notify('hintgate_changes', counted::text);
        return null;
      end $$`,
    `create table hintgate.tokens (
      name ${TEXT} not null primary key,
      kind ${TEXT} not null check (kind in ('agent', 'person')),
      hash ${TEXT} not null unique,
      hint ${TEXT} not null,
      scope ${TEXT} not null,
      created_at bigint not null,
      expires_at bigint,
      revoked_at bigint,
      last_used_at bigint
    )`,
    `create table hintgate.eras (
      server ${TEXT} not null,
      definition ${TEXT} not null,
      era ${TEXT} not null check (era in ('legacy', 'modern')),
      primary key (server, definition)
    )`,
    announce('insert', 'tokens'),
    // Not `last_used_at`.
    announce('update of name, kind, hash, hint, scope, created_at, expires_at, revoked_at', 'tokens'),
    announce('delete', 'tokens'),
    announce('insert', 'eras'),
    announce('update', 'eras'),
    announce('delete', 'eras'),
  ],
}
