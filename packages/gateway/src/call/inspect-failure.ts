import type { Classified } from '../exchange/incoming-call.ts'
import type { Outcome, Refusal } from '../exchange/outcome.ts'
import type { ResultRules } from '../policy/rules.ts'
import type { RpcError } from '../protocol/messages.ts'
import { checkErrorBeside } from '../results/check-error.ts'
import type { Beside } from '../results/check-result.ts'
import { errorInOwnVoice } from '../results/own-voice.ts'
import { explainNoAnswer, refusalOf, screenRefusal } from './explain-no-answer.ts'
import type { CallReply } from './questions-in-call.ts'
import { blocked } from './refusals.ts'

interface Inspected {
  readonly attempts: number
  readonly rules: ResultRules
}

/** Returns the outcome for the caller if the server sent no answer. */
export function inspectNoAnswer(
  reply: Exclude<CallReply, { kind: 'answer' }>,
  classified: Classified,
  { attempts, rules }: Inspected,
): Outcome {
  if (reply.kind === 'cancelled') return { kind: 'cancelled' }
  if (reply.kind === 'ended') return { kind: 'error', error: reply.error }
  const refusal = refusalOf(classified, explainNoAnswer(reply), attempts)
  return { kind: 'refused', refusal: screenRefusal(refusal, rules) }
}

/** Returns the outcome for the caller if the server answered with an error. The error is screened. */
export async function inspectError(
  error: RpcError,
  classified: Classified,
  { rules, beside }: { readonly rules: ResultRules; readonly beside: Beside },
): Promise<Outcome> {
  const isOpenWorld = classified.tool.assessment.effective.openWorld.value
  const checked = await checkErrorBeside(error, { rules, isOpenWorld, restrain: errorInOwnVoice }, beside)
  return checked.kind === 'blocked'
    ? { kind: 'refused', refusal: blocked(classified, checked.reasons) }
    : { kind: 'error', error: checked.error }
}

/** Refuses a result that is too long for one answer and cannot be stored. */
export function refuseTooLong({ call, variant }: Classified, why: string): Refusal {
  return {
    code: 'result_too_large',
    message: `The result of ${JSON.stringify(call.typed)} is too long for one answer, and ${why}.`,
    tool: call.typed,
    variant,
    verdict: 'failed',
    reasons: [{ rule: 'limits.answer', source: 'config', text: why }],
    remedy:
      variant === 'call_tool_read'
        ? 'Request less data in one call.'
        : 'The call was executed. Do not repeat it to see the result; get the result with a call that only reads.',
  }
}
