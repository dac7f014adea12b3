import { FAILED, kind, REFUSED } from './kind.ts'

/** About questions to people, and the sessions that they were asked in. */
export const APPROVAL_ERRORS = {
  approval_unknown: kind<{ readonly id: string }>({
    http: 404,
    exit: FAILED,
    message: p => `There is no approval ${JSON.stringify(p.id.slice(0, 80))}`,
    remedy: 'hintgate approvals list shows what waits.',
  }),
  approval_decided: kind<{ readonly id: string; readonly state: string }>({
    http: 409,
    exit: FAILED,
    message: p => `${p.id} cannot be decided any more: it is ${p.state}`,
    remedy: 'Let the agent call again; hintgate approvals list shows what waits.',
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
