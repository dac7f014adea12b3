import type { IntentEntry } from '../audit/entry.ts'
import type { Classified } from '../exchange/classified.ts'
import type { IncomingCall } from '../exchange/incoming-call.ts'
import type { Decision } from '../policy/decide.ts'
import type { StoredApproval } from '../store/approval-store.ts'
import type { SessionName } from './session-memory.ts'
import type { Leave } from './turns.ts'

/** What is known of a call so far, for the audit log. Only `handleCall` fills it in, step by step. */
export interface CallRecord {
  readonly call: IncomingCall
  readonly at: number
  readonly session: SessionName
  classified: Classified | undefined
  decision: Decision | undefined
  approval: StoredApproval | undefined
  /** As it was written down before the call was sent. */
  intent: IntentEntry | undefined
  /** Gives the turn back that the call had, where it needed one. */
  leaveTurn: Leave | undefined
  /** How often the call was sent to its server. */
  attempts: number
}

export function startRecord(call: IncomingCall): CallRecord {
  const { session, principal } = call.exchange.caller
  return {
    call,
    at: Date.now(),
    session: { session, principal: principal.id },
    classified: undefined,
    decision: undefined,
    approval: undefined,
    intent: undefined,
    leaveTurn: undefined,
    attempts: 0,
  }
}
