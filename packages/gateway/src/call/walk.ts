import type { IntentEntry } from '../audit/entry.ts'
import type { Classified } from '../exchange/classified.ts'
import type { IncomingCall } from '../exchange/incoming-call.ts'
import type { Decision } from '../policy/decide.ts'
import type { StoredApproval } from '../store/approval-store.ts'
import type { SessionName } from './session-memory.ts'

/** What is known of a call so far, for whoever writes it down however it ends. */
export class Walk {
  readonly call: IncomingCall
  readonly at = Date.now()
  readonly session: SessionName
  classified: Classified | undefined
  decision: Decision | undefined
  approval: StoredApproval | undefined
  /** As it was written down before it was sent. */
  entry: IntentEntry | undefined
  /** How often it was sent to the server. */
  attempts = 0

  constructor(call: IncomingCall) {
    this.call = call
    const { session, principal } = call.exchange.caller
    this.session = { session, principal: principal.id }
  }

  /** How the session remembers this call. */
  get mark() {
    const { server, tool, exchange } = this.call
    return { tool: `${server}:${tool}`, request: exchange.requestId, at: this.at }
  }

  classify(classified: Classified): Classified {
    this.classified = classified
    return classified
  }

  decide(decision: Decision): Decision {
    this.decision = decision
    return decision
  }

  approve(approval: StoredApproval | undefined): void {
    this.approval = approval
  }
}
