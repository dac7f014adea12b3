import { isJsonObject, type Json, RPC } from '../../protocol/messages.ts'
import type { Reply } from './upstream-request.ts'

type Answered = Extract<Reply, { kind: 'answer' }>

/**
 * Adds the findings about a modern server's answer to each question in that answer: for a client of the older era, they
 * become separate questions.
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

/** Adds findings to one question, because a client may show the question without the rest of the answer. */
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
    "The gateway held back the server's question, because it contains something that clients must not see.",
  data: { code: 'guardrail_blocked' },
}

function objectOr(value: unknown): Json {
  return isJsonObject(value) ? value : {}
}

/**
 * Checks the notifications and questions that a server sends. A check that returns undefined means that clients must
 * not see the message.
 */
export interface Screen {
  /** Synchronous, because later notifications must not overtake this one. */
  checkNotification(params: Json): Json | undefined
  /** Asynchronous if necessary, because checking a long question takes time. */
  checkQuestion(params: Json): Json | undefined | Promise<Json | undefined>
}
