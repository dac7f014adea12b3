import type { StoredApproval } from '../store/approval-store.ts'
import type { Classified } from './incoming-call.ts'
import type { Outcome } from './outcome.ts'

/** Keeps calls that outlive their requests. */
export interface CallTasks {
  /** Turns a call that waits for a person into a task. Undefined if the caller has too many open tasks. */
  wait(classified: Classified, asked: StoredApproval): Promise<Outcome | undefined>
  /** Replaces a server's task with one of the gateway's. The outcome that contains it must have been inspected. */
  adopt(outcome: Extract<Outcome, { kind: 'answered' }>, classified: Classified): Promise<Outcome>
}
