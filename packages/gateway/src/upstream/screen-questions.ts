import { isJsonObject, type Json, RPC } from '../protocol/messages.ts'
import type { Screen } from './connection.ts'
import type { Reply } from './upstream-request.ts'

type Answered = Extract<Reply, { kind: 'answer' }>

/** What a modern server asks is part of its answer; for a client of the older era it becomes questions. */
export async function screenQuestions(reply: Answered, screen: Pick<Screen, 'asked'>): Promise<Answered> {
  const { result } = reply.message
  if (!isJsonObject(result?.inputRequests)) return reply
  const { inputRequests } = result
  const said = { inputRequests }
  const shown = await screen.asked(said)
  if (shown === said) return reply
  if (shown === undefined) return { kind: 'answer', message: { jsonrpc: '2.0', id: 0, error: HELD_BACK } }
  const meta = { ...(isJsonObject(result._meta) ? result._meta : {}), ...objectOr(shown._meta) }
  return {
    kind: 'answer',
    message: { ...reply.message, result: { ...result, inputRequests: shown.inputRequests, _meta: meta } },
  }
}

const HELD_BACK = {
  code: RPC.internal,
  message: 'The question of the server was held back: it has something in it that nobody is to be shown.',
  data: { code: 'guardrail_blocked' },
}

function objectOr(value: unknown): Json {
  return isJsonObject(value) ? value : {}
}
