import type { Approvals } from '../../approvals/approvals.ts'
import { createApprovals } from '../../approvals/approvals.ts'
import { recordGrant } from '../../approvals/record-grant.ts'
import { AuditRecorder } from '../../audit/audit-recorder.ts'
import { createName } from '../../base/create-name.ts'
import { loadSecretKey } from '../../tokens/secret-key.ts'
import { allBut, type CommonFlags, withStore } from '../terminal/context.ts'

/** Runs an action on approvals. What it grants or revokes is in the audit log before the command ends. */
export function withGrants<T>(flags: CommonFlags, action: (approvals: Approvals) => Promise<T>): Promise<T> {
  return withStore({ ...flags, skip: allBut('store', 'confirm') }, async ({ store, config, home }) => {
    let recorder: AuditRecorder | undefined
    const approvals = createApprovals(store, {
      longestMs: () => config.confirm.longestMs,
      onGrant: change => {
        // Most answers are for one call and need no recorder: the call's own row contains them.
        recorder ??= new AuditRecorder({ store: store.audit, secret: loadSecretKey(home) })
        recordGrant(recorder, `req_${createName(9)}`, change)
      },
    })
    try {
      return await action(approvals)
    } finally {
      await recorder?.close()
    }
  })
}
