import { count } from './count-changes.ts'
import type { Migration } from './migration.ts'

/** What servers said of themselves, every version of it, and what operators made of it. */
export const definitions: Migration = {
  version: 3,
  statements: [
    `create table definitions (
      server text not null,
      kind text not null check (kind in ('tool', 'prompt', 'template', 'instructions')),
      name text not null,
      current text,
      is_disabled integer not null default 0,
      primary key (server, kind, name)
    ) strict`,
    `create table definition_versions (
      server text not null,
      kind text not null,
      name text not null,
      fingerprint text not null,
      definition text not null,
      first_seen_at integer not null,
      last_seen_at integer not null,
      verdict text check (verdict in ('approved', 'rejected')),
      reviewed_by text,
      reviewed_at integer,
      note text,
      primary key (server, kind, name, fingerprint)
    ) strict`,
    `create table overrides (
      server text not null,
      tool text not null,
      hints text not null,
      set_by text not null,
      set_at integer not null,
      primary key (server, tool)
    ) strict`,
    // What a server says is its own affair; what an operator says of it everybody has to hear.
    count('update of is_disabled', 'definitions'),
    count('update of verdict, reviewed_by, reviewed_at', 'definition_versions'),
    count('insert', 'overrides'),
    count('update', 'overrides'),
    count('delete', 'overrides'),
  ],
}
