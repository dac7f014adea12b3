import { showUntrusted } from '@hintgate/metadata'
import { tooMuchToShow } from '../approvals/shorten.ts'
import { showMoment } from '../approvals/shown-request.ts'
import type { Classified } from '../exchange/incoming-call.ts'
import type { Outcome, Refusal } from '../exchange/outcome.ts'
import type { Decision } from '../policy/decide.ts'
import type { StoredApproval } from '../store/approval-store.ts'

type Asked = Extract<Decision, { verdict: 'confirm' }>

function refuse(
  { call, variant }: Classified,
  parts: Omit<Refusal, 'tool' | 'variant'>,
): Extract<Outcome, { kind: 'refused' }> {
  const { code, message, ...rest } = parts
  return { kind: 'refused', refusal: { code, message, tool: call.typed, variant, ...rest } }
}

/** Somebody has to be asked who is not here now. The same call goes through when they have said yes. */
export function refuseWaiting(classified: Classified, asked: StoredApproval, decision: Asked): Outcome {
  const approve = `hintgate approvals approve ${asked.id}`
  return refuse(classified, {
    code: 'confirmation_required',
    message: `${JSON.stringify(classified.call.typed)} needs a person's approval, which was asked for.`,
    verdict: 'confirm',
    reasons: decision.reasons,
    remedy: `A person can approve it with: ${approve}. Then make the same call again, within the time.`,
    approval: { id: asked.id, expires: new Date(asked.expiresAt).toISOString(), approve },
  })
}

/** Whoever asks about everything wears out the one who answers, and hides what others ask. */
export function refuseFlood(classified: Classified): Outcome {
  return refuse(classified, {
    code: 'overloaded',
    message: `${JSON.stringify(classified.call.typed)} needs a person's approval, and too many of your calls wait for one already.`,
    verdict: 'failed',
    reasons: [
      { rule: 'confirmation', source: 'gateway', text: 'too many questions of this caller are open' },
    ],
    remedy: 'Nothing was executed. Wait until the open questions are answered or over.',
  })
}

/** A no holds as long as the question would have waited: asking again and again is no way around it. */
export function refuseDenied(classified: Classified, { id, decision, expiresAt }: StoredApproval): Outcome {
  const note = decision?.note === undefined ? '' : `: ${showUntrusted(decision.note, 300)}`
  return refuse(classified, {
    code: 'confirmation_denied',
    message: `A person refused this call of ${JSON.stringify(classified.call.typed)}${note}.`,
    verdict: 'deny',
    reasons: [{ rule: 'confirmation', source: id, text: `refused${note}` }],
    remedy: `Do not repeat the call; ask the person what to do instead. Until ${showMoment(expiresAt)} the same call is refused without asking anybody; after that it is a new question.`,
  })
}

export function refuseOver(classified: Classified, text: string) {
  return refuse(classified, {
    code: 'confirmation_expired',
    message: `The approval of ${JSON.stringify(classified.call.typed)} does not hold: ${text}.`,
    verdict: 'deny',
    reasons: [{ rule: 'confirmation', source: 'approval', text }],
    remedy: 'Call again without a request state; a person is asked anew.',
  })
}

/** Nobody was asked, because nobody had to be when the call came in. It waited, and now it is another matter. */
export function refuseChanged(
  { call, variant }: Classified,
  code: 'quarantined' | 'confirmation_required',
  text: string,
): Refusal {
  return {
    code,
    message: `${JSON.stringify(call.typed)} was not called: while it waited, something changed.`,
    tool: call.typed,
    variant,
    verdict: code === 'quarantined' ? 'deny' : 'confirm',
    reasons: [{ rule: 'last look', source: 'gateway', text }],
    remedy: 'Nothing was executed. Call again: it is judged anew.',
  }
}

/** A yes to what nobody can be shown is worth nothing, so nobody is asked for one. */
export function refuseUnseen({ call, variant }: Classified): Outcome | undefined {
  const tooMuch = tooMuchToShow(call.params)
  if (tooMuch === undefined) return undefined
  const { characters, most } = tooMuch
  const text = `it is too much to be shown to the person who has to allow it: ${characters} characters, and ${most} can be shown`
  return {
    kind: 'refused',
    refusal: {
      code: 'invalid_arguments',
      message: `The call of ${JSON.stringify(call.typed)}: ${text}.`,
      tool: call.typed,
      variant,
      verdict: 'deny',
      reasons: [{ rule: 'confirm.too_long', source: 'gateway', text }],
      remedy:
        'Nothing was executed. Send less at once; or the operator spares this agent the question, with `confirm` in the config or of its token.',
      field: '',
    },
  }
}
