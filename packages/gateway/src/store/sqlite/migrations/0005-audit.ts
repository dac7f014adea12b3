import type { Migration } from './migration.ts'

/**
 * The audit log. Nobody is told of these writes, so nothing counts them. Intents are found by their call or their
 * chain; only what ended is searched for, so only that is in the other indexes. Most calls are allowed and
 * answered: the indexes of verdicts, codes and outcomes leave those out and cost nothing for them.
 */
export const audit: Migration = {
  version: 5,
  statements: [
    `create table audit_writers (
      id integer not null primary key,
      name text not null unique,
      started_at integer not null,
      place text not null,
      pid integer not null,
      process_start text not null,
      key_id text not null,
      seen_at integer not null,
      closed_at integer,
      open_from integer not null default 1,
      head_seq integer not null default 0,
      head_hash text not null default '',
      head_mac text not null default '',
      sealed_seq integer not null default 0,
      sealed_hash text not null default '',
      sealed_mac text not null default ''
    ) strict`,
    `create table audit_rows (
      id integer not null primary key,
      writer integer not null,
      seq integer not null,
      at integer not null,
      kind text not null check (kind in ('intent', 'outcome', 'call')),
      request text not null,
      agent text not null,
      server text not null,
      tool text not null,
      variant text not null,
      verdict text not null,
      outcome text not null,
      code text not null,
      body text not null,
      prev text not null,
      hash text not null
    ) strict`,
    'create unique index audit_by_chain on audit_rows (writer, seq)',
    'create index audit_by_request on audit_rows (request)',
    `create index audit_by_agent on audit_rows (agent, at) where kind <> 'intent'`,
    `create index audit_by_time on audit_rows (at, server, tool) where kind <> 'intent'`,
    `create index audit_by_verdict on audit_rows (verdict, at) where kind <> 'intent' and verdict <> 'allow'`,
    `create index audit_by_code on audit_rows (code, at) where kind <> 'intent' and code <> ''`,
    `create index audit_by_outcome on audit_rows (outcome, at) where kind <> 'intent' and outcome <> 'answered'`,
  ],
}
