import { FAILED, kind, REFUSED } from './kind.ts'

type DecidedPayload = {
  readonly id: string
  /** The approval's state, or `over` if the approval has expired. */
  readonly state: string
  /** When the decision stops being valid, in ISO 8601. */
  readonly until: string
}

/**
 * Describes what can still be done. That depends on the decision: a denied call is refused when repeated, while other
 * calls ask again.
 */
function describeNextStep({ state, until }: DecidedPayload): string {
  switch (state) {
    case 'denied':
      return `The same call is refused until ${until}. Let the agent call again after that. A call with different arguments needs a new approval immediately.`
    case 'approved':
      return `The agent can make the call once, until ${until}. To stop the agent now, run hintgate tokens revoke NAME.`
    case 'spent':
      return 'The approval was used for one call. The next call needs a new approval; run hintgate approvals list to see it.'
    case 'standing':
      return `The decision is remembered until ${until}. To stop the agent now, run hintgate tokens revoke NAME.`
    default:
      return 'Let the agent call again, then run hintgate approvals list to see the new approval.'
  }
}

function describeState(state: string): string {
  switch (state) {
    case 'denied':
    case 'approved':
      return `it is already ${state}`
    case 'spent':
      return 'it was approved and used'
    case 'standing':
      return 'it was approved and is remembered'
    case 'over':
      return 'it has expired'
    default:
      return `its state is ${state}`
  }
}

export const APPROVAL_ERRORS = {
  approval_unknown: kind<{ readonly id: string }>({
    http: 404,
    exit: FAILED,
    message: p => `There is no approval ${JSON.stringify(p.id.slice(0, 80))}`,
    remedy: 'Run hintgate approvals list to see the pending approvals.',
  }),
  approval_decided: kind<DecidedPayload>({
    http: 409,
    exit: FAILED,
    message: p => `${p.id} can no longer be decided: ${describeState(p.state)}`,
    remedy: 'Run hintgate approvals list to see the pending approvals.',
    remedyFor: describeNextStep,
  }),
  approval_own: kind<{ readonly id: string; readonly by: string }>({
    http: 403,
    exit: REFUSED,
    message: p => `${p.by} made the call that waits for ${p.id}, so ${p.by} cannot approve it`,
    remedy: 'Ask another person to decide.',
  }),
  approval_again: kind<{ readonly id: string; readonly by: string; readonly missing: number }>({
    http: 409,
    exit: REFUSED,
    message: p => `${p.by} has already approved ${p.id}, which needs approval from ${p.missing} more`,
    remedy: 'Ask a different person to approve it as well.',
  }),
  approval_once: kind<{ readonly id: string; readonly remember: string }>({
    http: 403,
    exit: REFUSED,
    message: p => `${p.id} can be approved for one call only, not for the ${p.remember}`,
    remedy: 'Omit --remember, or allow remembering with confirm.remember in the config.',
  }),
  grant_unknown: kind<{ readonly id: string }>({
    http: 404,
    exit: FAILED,
    message: p => `There is no lasting approval ${p.id} in force`,
    remedy: 'List the lasting approvals with: hintgate approvals grants.',
  }),
  grant_refused: kind<{ readonly id: string; readonly why: string }>({
    http: 403,
    exit: REFUSED,
    message: p => `${p.id} cannot be approved in this way: ${p.why}`,
    remedy: 'Choose a shorter time or a narrower approval, or ask a person with the role operator.',
  }),
  push_refused: kind<{ readonly why: string }>({
    http: 422,
    exit: FAILED,
    message: p => `This browser cannot be notified of approvals: ${p.why}`,
    remedy:
      'Add { "type": "browser", "name": … } to "notify", then turn notifications on in the console again.',
  }),
  session_unknown: kind<{ readonly id: string }>({
    http: 404,
    exit: FAILED,
    message: p => `There is no session ${JSON.stringify(p.id.slice(0, 120))}`,
    remedy: 'Run hintgate sessions list to see the sessions with risk factors.',
  }),
} as const
