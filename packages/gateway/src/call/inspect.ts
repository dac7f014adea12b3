import { isJsonObject, type Json } from '../protocol/messages.ts'
import type { ResultKeeper } from '../results/keep-results.ts'
import type { SessionMemory } from '../verdict/session-memory.ts'
import type { Classified } from './classify.ts'
import type { Outcome, Refusal } from './outcome.ts'

const NOTES = 'io.hintgate/notes'

interface Inspection {
  readonly notes: readonly string[]
  readonly results: ResultKeeper
  readonly sessions: SessionMemory
}

/** Looks at what came back before anybody reads it. What is too long for one answer is kept to be read on. */
export function inspect(
  outcome: Outcome,
  classified: Classified,
  { notes, results, sessions }: Inspection,
): Outcome | Promise<Outcome> {
  if (outcome.kind !== 'answered') return outcome
  remember(classified, sessions)
  if (classified.call.claim === undefined) return outcome
  const noted = notes.length === 0 ? outcome : withNotes(outcome, notes)
  return keepLong(noted, classified, results)
}

/** What the server did or said is part of the session now, whatever becomes of the answer. */
function remember({ call, tool }: Classified, sessions: SessionMemory): void {
  const { caller, requestId } = call.exchange
  const mark = { tool: `${tool.server}:${tool.name}`, request: requestId, at: Date.now() }
  sessions.note(caller.session, tool.assessment.effective, mark)
}

type Answered = Extract<Outcome, { kind: 'answered' }>

function withNotes({ result }: Answered, notes: readonly string[]): Answered {
  const meta: Json = isJsonObject(result._meta) ? result._meta : {}
  return { kind: 'answered', result: { ...result, _meta: { ...meta, [NOTES]: notes } } }
}

async function keepLong(
  outcome: Answered,
  { call, tool, variant }: Classified,
  results: ResultKeeper,
): Promise<Outcome> {
  const kept = await results.keep(outcome.result, {
    owner: call.exchange.caller.principal.id,
    tool: `${tool.server}:${tool.name}`,
    now: Date.now(),
    text: outcome.text,
    structured: 'omit',
  })
  if (kept.kind === 'whole') return outcome
  if (kept.kind === 'kept') return { kind: 'answered', result: kept.first }
  const refusal: Refusal = {
    code: 'result_too_large',
    message: `The result of ${JSON.stringify(call.typed)} is too long for one answer, and ${kept.why}.`,
    tool: call.typed,
    variant,
    verdict: 'failed',
    reasons: [{ rule: 'limits.answer', source: 'config', text: kept.why }],
    remedy:
      variant === 'call_tool_read'
        ? 'Ask for less at once.'
        : 'It was executed. Do not repeat it to see the result; ask for the result by a read.',
  }
  return { kind: 'refused', refusal }
}
