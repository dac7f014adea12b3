import { FAILED, kind, REFUSED } from './kind.ts'

type DecidedPayload = {
  readonly id: string
  /** Of the question, or `over`. */
  readonly state: string
  /** How long the decision holds; ISO 8601. */
  readonly until: string
}

/** Calling again helps after some decisions, and is exactly what is refused after others. */
function describeWayOn({ state, until }: DecidedPayload): string {
  switch (state) {
    case 'denied':
      return `The same call is refused until ${until}, and nobody is asked. Let the agent call again after that; with other arguments it is another question at once.`
    case 'approved':
      return `The agent can make the call once, until ${until}. To stop it at once: hintgate tokens revoke NAME.`
    case 'spent':
      return 'The call was let through. The next one is a question of its own; hintgate approvals list shows what waits.'
    case 'standing':
      return `It holds until ${until}. To stop the agent at once: hintgate tokens revoke NAME.`
    default:
      return 'Let the agent call again; hintgate approvals list shows what waits.'
  }
}

export const APPROVAL_ERRORS = {
  approval_unknown: kind<{ readonly id: string }>({
    http: 404,
    exit: FAILED,
    message: p => `There is no approval ${JSON.stringify(p.id.slice(0, 80))}`,
    remedy: 'hintgate approvals list shows what waits.',
  }),
  approval_decided: kind<DecidedPayload>({
    http: 409,
    exit: FAILED,
    message: p => `${p.id} cannot be decided any more: it is ${p.state}`,
    remedy: 'What can still be done depends on how it was decided; hintgate approvals list shows what waits.',
    remedyFor: describeWayOn,
  }),
  approval_own: kind<{ readonly id: string; readonly by: string }>({
    http: 403,
    exit: REFUSED,
    message: p => `${p.by} asked for ${p.id} and cannot approve it too`,
    remedy: 'Somebody else has to decide.',
  }),
  approval_once: kind<{ readonly id: string; readonly remember: string }>({
    http: 403,
    exit: REFUSED,
    message: p => `${p.id} may be approved for this one call only, not for the ${p.remember}`,
    remedy: 'Leave --remember out, or allow it with confirm.remember in the config.',
  }),
  session_unknown: kind<{ readonly id: string }>({
    http: 404,
    exit: FAILED,
    message: p => `There is no session ${JSON.stringify(p.id.slice(0, 120))}`,
    remedy: 'hintgate sessions list shows those that have touched anything.',
  }),
} as const
