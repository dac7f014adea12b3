import { showUntrusted } from '@hintgate/metadata'
import { tooMuchToShow } from '../../approvals/shorten.ts'
import { showMoment } from '../../approvals/shown-request.ts'
import type { Classified } from '../../exchange/incoming-call.ts'
import type { Outcome, Refusal } from '../../exchange/outcome.ts'
import type { Decision } from '../../policy/decide.ts'
import type { StoredApproval } from '../../store/approval-store.ts'

type Asked = Extract<Decision, { verdict: 'confirm' }>

function refuse(
  { call, variant }: Classified,
  parts: Omit<Refusal, 'tool' | 'variant'>,
): Extract<Outcome, { kind: 'refused' }> {
  const { code, message, ...rest } = parts
  return { kind: 'refused', refusal: { code, message, tool: call.typed, variant, ...rest } }
}

/**
 * Refuses a call that waits for the approval of a person who is not present. After approval, the same call succeeds.
 */
export function refuseWaiting(classified: Classified, asked: StoredApproval, decision: Asked): Outcome {
  const approve = `hintgate approvals approve ${asked.id}`
  return refuse(classified, {
    code: 'confirmation_required',
    message: `${JSON.stringify(classified.call.typed)} needs a person's approval, and a person has been asked.`,
    verdict: 'confirm',
    reasons: decision.reasons,
    remedy: `A person can approve the call with: ${approve}. Then make the same call again before the approval expires.`,
    approval: { id: asked.id, expires: new Date(asked.expiresAt).toISOString(), approve },
  })
}

/**
 * Refuses a call whose caller has too many open approval requests. More of them would tire the people who answer, and
 * hide other callers' requests.
 */
export function refuseFlood(classified: Classified): Outcome {
  return refuse(classified, {
    code: 'overloaded',
    message: `${JSON.stringify(classified.call.typed)} needs a person's approval, but too many of your calls are already waiting for one.`,
    verdict: 'failed',
    reasons: [
      { rule: 'confirmation', source: 'gateway', text: 'this caller has too many open approval requests' },
    ],
    remedy: 'Nothing was executed. Wait until the open requests are answered or have expired.',
  })
}

/**
 * Refuses a call that a person denied. The denial stays valid for as long as the request would have stayed open, so
 * calling again does not help.
 */
export function refuseDenied(classified: Classified, { id, decision, expiresAt }: StoredApproval): Outcome {
  const note = decision?.note === undefined ? '' : `: ${showUntrusted(decision.note, 300)}`
  return refuse(classified, {
    code: 'confirmation_denied',
    message: `A person denied this call to ${JSON.stringify(classified.call.typed)}${note}.`,
    verdict: 'deny',
    reasons: [{ rule: 'confirmation', source: id, text: `refused${note}` }],
    remedy: `Do not repeat the call; ask the person what to do instead. Until ${showMoment(expiresAt)}, the same call is refused without asking again.`,
  })
}

/** Refuses a task that a server made, because the caller already has too many tasks. The server may still be working on it. */
export function refuseTaskFlood(classified: Classified): Outcome {
  return refuse(classified, {
    code: 'overloaded',
    message: `The server turned the call to ${JSON.stringify(classified.call.typed)} into a task, but too many of your tasks are still open.`,
    verdict: 'failed',
    reasons: [{ rule: 'tasks', source: 'gateway', text: 'this caller has too many open tasks' }],
    remedy:
      'The server might have executed the call. Check whether it did before you repeat it, and wait until other tasks are over.',
  })
}

export function refuseExpired(classified: Classified, text: string) {
  return refuse(classified, {
    code: 'confirmation_expired',
    message: `The approval for ${JSON.stringify(classified.call.typed)} is not valid: ${text}.`,
    verdict: 'deny',
    reasons: [{ rule: 'confirmation', source: 'approval', text }],
    remedy: 'Call again without a request state. A person will then be asked again.',
  })
}

/** Refuses a call that needed no approval when it came in, because something changed while it waited. */
export function refuseChanged(
  { call, variant }: Classified,
  code: 'quarantined' | 'confirmation_required',
  text: string,
): Refusal {
  return {
    code,
    message: `${JSON.stringify(call.typed)} was not called, because something changed while it waited: ${text}.`,
    tool: call.typed,
    variant,
    verdict: code === 'quarantined' ? 'deny' : 'confirm',
    reasons: [{ rule: 'recheck', source: 'gateway', text }],
    remedy: 'Nothing was executed. Call again; the new call is judged by the current rules.',
  }
}

/** Refuses a call that is too long to show. No person is asked, because people cannot judge what they cannot see. */
export function refuseTooLongToShow({ call, variant }: Classified): Outcome | undefined {
  const tooMuch = tooMuchToShow(call.params)
  if (tooMuch === undefined) return undefined
  const { characters, most } = tooMuch
  const text = `it is too long to show to the person who must approve it: it has ${characters} characters, and the limit is ${most}`
  return {
    kind: 'refused',
    refusal: {
      code: 'invalid_arguments',
      message: `The call to ${JSON.stringify(call.typed)} was not made: ${text}.`,
      tool: call.typed,
      variant,
      verdict: 'deny',
      reasons: [{ rule: 'confirm.too_long', source: 'gateway', text }],
      remedy:
        'Nothing was executed. Send less in one call, or ask the operator to exempt this agent with `confirm` in the config or on its token.',
      field: '',
    },
  }
}
