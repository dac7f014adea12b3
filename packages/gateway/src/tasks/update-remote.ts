import { FORM_KEY } from '../approvals/form.ts'
import { gatherFacts } from '../call/judge-call.ts'
import { type Json, RPC, type RpcError } from '../protocol/messages.ts'
import { UNKNOWN_TASK } from '../protocol/tasks.ts'
import { type Asked, sendAbout } from './ask-server.ts'
import type { TaskDeps } from './task-deps.ts'

/**
 * Passes a client's answers to the server that made the task. They can leak data just as arguments can, so guardrails
 * read them, and they are recorded before they are sent.
 */
export async function updateRemote(
  asked: Asked | undefined,
  given: Json,
  deps: TaskDeps,
): Promise<RpcError | undefined> {
  if (asked === undefined) return UNKNOWN_TASK
  const { [FORM_KEY]: _ours, ...responses } = given
  const { recorder } = deps.corridor()
  const call = entryOf(asked, responses)
  const objection = objectTo(asked, responses, deps)
  if (objection !== undefined) {
    const refused = { code: 'guardrail_blocked', detail: objection.message, attempts: 0, durationMs: 0 }
    await recorder.outcome({ call: { ...call, verdict: 'deny' }, outcome: 'refused', ...refused })
    return objection
  }
  const failure = await recorder.intent(call)
  if (failure !== undefined) return UNRECORDED
  const reply = await sendAbout(asked, { method: 'tasks/update', responses }, deps)
  const error = reply.kind === 'error' ? reply.error : reply.message.error
  const durationMs = Date.now() - call.at
  await recorder.outcome({
    call,
    outcome: error === undefined ? 'answered' : 'failed',
    attempts: 1,
    durationMs,
  })
  // The server's own words about the task reach the client only through `tasks/get`, which inspects them.
  return reply.kind === 'error' || error === undefined ? error : NOT_TAKEN
}

const NOT_TAKEN: RpcError = {
  code: RPC.invalidParams,
  message: 'the server did not accept the answers; read the task again',
}
const UNRECORDED: RpcError = {
  code: RPC.internal,
  message: 'The answers were not forwarded, because they cannot be recorded at the moment. Try again later.',
  data: { code: 'overloaded' },
}

function objectTo(
  { classified, server }: Asked,
  responses: Json,
  { corridor }: TaskDeps,
): RpcError | undefined {
  const { guardrails } = corridor().rules()
  if (guardrails.size === 0) return undefined
  const call = { ...classified.call, params: { arguments: responses } }
  const facts = gatherFacts({ ...classified, call }, { server, riskFactors: {}, now: Date.now() })
  const hits = guardrails.checkTexts(facts)
  if (hits.length === 0) return undefined
  const why = hits.map(({ reason }) => reason.text).join('; ')
  const message = `The answers were not forwarded: ${why}.`
  return { code: RPC.generic, message, data: { code: 'guardrail_blocked' } }
}

function entryOf({ exchange, classified, call }: Asked, responses: Json) {
  return {
    requestId: exchange.requestId,
    at: Date.now(),
    principal: exchange.caller.principal.id,
    session: call.session,
    door: 'method',
    set: call.set,
    asker: call.asker,
    server: classified.tool.server,
    tool: 'tasks/update',
    typed: call.typed,
    arguments: responses,
    verdict: 'allow',
    reasons: [],
  } as const
}
