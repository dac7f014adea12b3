import type { Migration } from './migration.ts'

/** Which questions are open is told by an index alone: what is shown stands before it in the row, and can be long. */
export const openQuestions: Migration = {
  version: 10,
  statements: [
    'drop index approvals_by_binding',
    'create index approvals_by_binding on approvals (binding, state, expires_at)',
    'drop index approvals_by_principal',
    'create index approvals_by_principal on approvals (principal, state, expires_at)',
    'create index approvals_by_state on approvals (state, expires_at, id)',
  ],
}
