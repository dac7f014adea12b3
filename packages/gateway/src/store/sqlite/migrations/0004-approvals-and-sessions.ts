import { count } from './count-changes.ts'
import type { Migration } from './migration.ts'

/** What people are asked and what they answered; and what sessions have touched. */
export const approvalsAndSessions: Migration = {
  version: 4,
  statements: [
    `create table approvals (
      id text not null primary key,
      principal text not null,
      session text not null,
      tool text not null,
      binding text not null,
      channel text not null check (channel in ('any', 'person')),
      shown text not null,
      state text not null check (state in ('pending', 'approved', 'denied', 'spent', 'standing')),
      created_at integer not null,
      expires_at integer not null,
      decided_by text,
      decided_via text,
      decided_at integer,
      note text
    ) strict`,
    'create index approvals_by_binding on approvals (binding, state)',
    'create index approvals_by_expiry on approvals (expires_at)',
    'create index approvals_by_principal on approvals (principal, state)',
    `create table sessions (
      id text not null primary key,
      principal text not null,
      legs text not null,
      used_at integer not null
    ) strict`,
    'create index sessions_by_use on sessions (used_at)',
    // Who waits for an answer must hear of it, and of what a person takes back.
    count('insert', 'approvals'),
    count('update', 'approvals'),
    count('delete', 'sessions'),
  ],
}
