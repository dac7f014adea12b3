import type { Classified } from '../exchange/classified.ts'
import type { Outcome, Refusal } from '../exchange/outcome.ts'
import type { Rules } from '../policy/rules.ts'
import { sliceResult } from '../protocol/json-text.ts'
import { isJsonObject, type Json } from '../protocol/messages.ts'
import type { ServerReply } from '../upstream/attempt.ts'
import type { UpstreamServer } from '../upstream/upstream-server.ts'
import { type Ending, explainNoAnswer } from './explain-no-answer.ts'
import { META_ATTEMPTS } from './own-voice.ts'
import { screenRefusal } from './quote-failure.ts'

/** What a reply, or the lack of one, means for the caller. It is told of attempts where one was not enough. */
export function toOutcome(reply: ServerReply, classified: Classified, attempts: number): Outcome {
  switch (reply.kind) {
    case 'answer':
      return reply.message.error === undefined
        ? answered(reply, attempts)
        : { kind: 'error', error: reply.message.error }
    case 'cancelled':
      return { kind: 'cancelled' }
    default:
      return refused(classified, explainNoAnswer(reply), attempts)
  }
}

function answered(
  { message, text, bytes }: Extract<ServerReply, { kind: 'answer' }>,
  attempts: number,
): Outcome {
  const { result = {} } = message
  if (attempts <= 1)
    return { kind: 'answered', result, text: text === undefined ? undefined : sliceResult(text), bytes }
  const meta: Json = isJsonObject(result._meta) ? result._meta : {}
  return { kind: 'answered', result: { ...result, _meta: { ...meta, [META_ATTEMPTS]: attempts } }, bytes }
}

/**
 * Nothing is sent to a server that is left alone: known before anybody is asked and anything is written down. How it failed
 * the last time may be told in its own words.
 */
export function refuseAlone(
  classified: Classified,
  { name, refusal: failure }: UpstreamServer,
  rules: Rules,
): Refusal | undefined {
  if (failure === undefined) return undefined
  return screenRefusal(
    refusalOf(classified, explainNoAnswer({ kind: 'failure', failure }), 0),
    rules.results(name),
  )
}

function refused(classified: Classified, ending: Ending, attempts: number): Outcome {
  return { kind: 'refused', refusal: refusalOf(classified, ending, attempts) }
}

function refusalOf({ call, tool, variant }: Classified, ending: Ending, attempts: number): Refusal {
  const { code, text, mayHaveRun } = ending
  const isHarmless = !mayHaveRun || tool.assessment.effective.readOnly.value
  const tried = attempts > 1 ? ` in ${attempts} attempts` : ''
  return {
    code,
    message: `The server ${JSON.stringify(tool.server)} gave no answer to ${JSON.stringify(call.typed)}${tried}: ${text}.`,
    tool: call.typed,
    variant,
    verdict: 'failed',
    reasons: [{ rule: 'upstream', source: tool.server, text }],
    remedy: isHarmless
      ? `Nothing was changed; ${whenAgain(ending)}.`
      : 'Whether it was executed is unknown: check before you repeat it.',
  }
}

/** In words for whoever can wait. */
export function whenAgain({ retryInMs }: Pick<Ending, 'retryInMs'>): string {
  if (retryInMs === undefined) return 'try again in a moment'
  const seconds = Math.max(1, Math.ceil(retryInMs / 1000))
  return `the server is asked again in ${seconds === 1 ? 'a second' : `${seconds} seconds`}, so try then`
}
