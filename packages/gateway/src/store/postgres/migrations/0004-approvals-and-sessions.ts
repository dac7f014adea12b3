import { announce } from './announce.ts'
import { TEXT } from './column-types.ts'
import type { Migration } from './migration.ts'

/** What people are asked and what they answered; and what sessions have touched. */
export const approvalsAndSessions: Migration = {
  version: 4,
  statements: [
    `create table hintgate.approvals (
      id ${TEXT} not null primary key,
      principal ${TEXT} not null,
      session ${TEXT} not null,
      tool ${TEXT} not null,
      binding ${TEXT} not null,
      channel ${TEXT} not null check (channel in ('any', 'person')),
      shown ${TEXT} not null,
      state ${TEXT} not null check (state in ('pending', 'approved', 'denied', 'spent', 'standing')),
      created_at bigint not null,
      expires_at bigint not null,
      decided_by ${TEXT},
      decided_via ${TEXT},
      decided_at bigint,
      note ${TEXT}
    )`,
    'create index approvals_by_binding on hintgate.approvals (binding, state)',
    'create index approvals_by_expiry on hintgate.approvals (expires_at)',
    'create index approvals_by_principal on hintgate.approvals (principal, state)',
    `create table hintgate.sessions (
      id ${TEXT} not null primary key,
      principal ${TEXT} not null,
      legs ${TEXT} not null,
      used_at bigint not null
    )`,
    'create index sessions_by_use on hintgate.sessions (used_at)',
    // Who waits for an answer must hear of it, and of what a person takes back.
    announce('insert', 'approvals'),
    announce('update', 'approvals'),
    announce('delete', 'sessions'),
  ],
}
