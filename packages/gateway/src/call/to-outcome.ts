import { sliceResult } from '../protocol/slice-result.ts'
import type { ServerReply } from '../upstream/attempt.ts'
import type { Classified } from './classify.ts'
import { type Ending, explainNoAnswer } from './explain-no-answer.ts'
import type { Outcome, Refusal } from './outcome.ts'

/** What a reply, or the lack of one, means for the caller. */
export function toOutcome(reply: ServerReply, classified: Classified): Outcome {
  switch (reply.kind) {
    case 'answer':
      return reply.message.error === undefined
        ? {
            kind: 'answered',
            result: reply.message.result ?? {},
            text: reply.text === undefined ? undefined : sliceResult(reply.text),
          }
        : { kind: 'error', error: reply.message.error }
    case 'cancelled':
      return { kind: 'cancelled' }
    default:
      return refused(classified, explainNoAnswer(reply))
  }
}

function refused({ call, tool, variant }: Classified, { code, text, mayHaveRun }: Ending): Outcome {
  const isHarmless = !mayHaveRun || tool.assessment.effective.readOnly.value
  const refusal: Refusal = {
    code,
    message: `The server ${JSON.stringify(tool.server)} gave no answer to ${JSON.stringify(call.typed)}: ${text}.`,
    tool: call.typed,
    variant,
    verdict: 'failed',
    reasons: [{ rule: 'upstream', source: tool.server, text }],
    remedy: isHarmless
      ? 'Nothing was changed; try again in a moment.'
      : 'Whether it was executed is unknown: check before you repeat it.',
  }
  return { kind: 'refused', refusal }
}
