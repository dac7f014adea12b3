import type { Migration } from './migration.ts'

/** Who set or took back which hints of a tool, and when. Nobody has to look anything up because of it. */
export const overrideHistory: Migration = {
  version: 6,
  statements: [
    `create table override_history (
      id integer primary key,
      server text not null,
      tool text not null,
      hints text,
      set_by text not null,
      set_at integer not null
    ) strict`,
    'create index override_history_tool on override_history (server, tool)',
    `insert into override_history (server, tool, hints, set_by, set_at)
      select server, tool, hints, set_by, set_at from overrides order by set_at`,
  ],
}
