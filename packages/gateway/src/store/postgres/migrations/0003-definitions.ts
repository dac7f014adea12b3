import { announce } from './announce.ts'
import { TEXT } from './column-types.ts'
import type { Migration } from './migration.ts'

/** What servers said of themselves, every version of it, and what operators made of it. */
export const definitions: Migration = {
  version: 3,
  statements: [
    `create table hintgate.definitions (
      server ${TEXT} not null,
      kind ${TEXT} not null check (kind in ('tool', 'prompt', 'template', 'instructions')),
      name ${TEXT} not null,
      current ${TEXT},
      is_disabled integer not null default 0,
      primary key (server, kind, name)
    )`,
    `create table hintgate.definition_versions (
      server ${TEXT} not null,
      kind ${TEXT} not null,
      name ${TEXT} not null,
      fingerprint ${TEXT} not null,
      definition ${TEXT} not null,
      first_seen_at bigint not null,
      last_seen_at bigint not null,
      verdict ${TEXT} check (verdict in ('approved', 'rejected')),
      reviewed_by ${TEXT},
      reviewed_at bigint,
      note ${TEXT},
      primary key (server, kind, name, fingerprint)
    )`,
    `create table hintgate.overrides (
      server ${TEXT} not null,
      tool ${TEXT} not null,
      hints ${TEXT} not null,
      set_by ${TEXT} not null,
      set_at bigint not null,
      primary key (server, tool)
    )`,
    `create table hintgate.override_history (
      id bigint not null generated always as identity primary key,
      server ${TEXT} not null,
      tool ${TEXT} not null,
      hints ${TEXT},
      set_by ${TEXT} not null,
      set_at bigint not null
    )`,
    'create index override_history_tool on hintgate.override_history (server, tool)',
    // What a server says is its own affair; what an operator says of it everybody has to hear.
    announce('update of is_disabled', 'definitions'),
    announce('update of verdict, reviewed_by, reviewed_at', 'definition_versions'),
    announce('insert', 'overrides'),
    announce('update', 'overrides'),
    announce('delete', 'overrides'),
  ],
}
