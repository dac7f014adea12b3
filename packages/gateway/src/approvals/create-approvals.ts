import { createName } from '../base/create-name.ts'
import type { Store } from '../store/store.ts'
import { Approvals } from './approvals.ts'

/** The approvals of a store; the same in the gateway and on the command line. */
export function createApprovals(store: Store): Approvals {
  return new Approvals({
    store: store.approvals,
    onChange: listener => store.onChange(listener),
    now: Date.now,
    createId: () => `ap_${createName(9)}`,
  })
}
