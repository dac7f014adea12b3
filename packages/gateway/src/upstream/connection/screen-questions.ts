import { isJsonObject, type Json, RPC } from '../../protocol/messages.ts'
import type { Reply } from './upstream-request.ts'

type Answered = Extract<Reply, { kind: 'answer' }>

/**
 * A modern server's questions are part of its answer; for a client of the older era they become separate questions, so
 * each one carries the findings. Findings on the whole result already cover its questions.
 */
export async function screenQuestions(
  reply: Answered,
  screen: Pick<Screen, 'checkQuestion'>,
): Promise<Answered> {
  const { result } = reply.message
  if (!isJsonObject(result?.inputRequests)) return reply
  const said = { inputRequests: result.inputRequests }
  const shown = await screen.checkQuestion(said)
  if (shown === said) return reply
  if (shown === undefined)
    return { kind: 'answer', message: { jsonrpc: '2.0', id: 0, error: QUESTION_HELD_BACK } }
  const found = objectOr(shown._meta)
  const requests = Object.entries(objectOr(shown.inputRequests))
  const inputRequests = Object.fromEntries(requests.map(([key, request]) => [key, withFound(request, found)]))
  return {
    kind: 'answer',
    message: {
      ...reply.message,
      result: { ...result, inputRequests, _meta: { ...found, ...objectOr(result._meta) } },
    },
  }
}

/** A client may show each question without the rest of the answer. */
function withFound(request: unknown, found: Json): unknown {
  if (!isJsonObject(request) || !isJsonObject(request.params)) return request
  return { ...request, params: withMeta(request.params, found) }
}

function withMeta(said: Json, found: Json): Json {
  return { ...said, _meta: { ...objectOr(said._meta), ...found } }
}

const QUESTION_HELD_BACK = {
  code: RPC.internal,
  message:
    'The gateway held back the question of the server, because it contains something that clients may not see.',
  data: { code: 'guardrail_blocked' },
}

function objectOr(value: unknown): Json {
  return isJsonObject(value) ? value : {}
}

/** Checks what a server sends apart from answers. Undefined: do not show it. */
export interface Screen {
  /** Synchronous, because later notifications must not overtake it. */
  checkNotification(params: Json): Json | undefined
  /** A question may be long. */
  checkQuestion(params: Json): Json | undefined | Promise<Json | undefined>
}
