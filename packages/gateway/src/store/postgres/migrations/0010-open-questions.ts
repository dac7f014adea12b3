import type { Migration } from './migration.ts'

/** Which questions are open is told by an index alone. */
export const openQuestions: Migration = {
  version: 10,
  statements: [
    'drop index hintgate.approvals_by_binding',
    'create index approvals_by_binding on hintgate.approvals (binding, state, expires_at)',
    'drop index hintgate.approvals_by_principal',
    'create index approvals_by_principal on hintgate.approvals (principal, state, expires_at)',
    'create index approvals_by_state on hintgate.approvals (state, expires_at, id)',
  ],
}
