import { isJsonObject, type Json, RPC } from '../../protocol/messages.ts'
import type { Reply } from './upstream-request.ts'

type Answered = Extract<Reply, { kind: 'answer' }>

/**
 * What a modern server asks is part of its answer; for a client of the older era it becomes questions. What is found is said
 * with each of them. Remarks on the whole result cover its questions already.
 */
export async function screenQuestions(reply: Answered, screen: Pick<Screen, 'asked'>): Promise<Answered> {
  const { result } = reply.message
  if (!isJsonObject(result?.inputRequests)) return reply
  const said = { inputRequests: result.inputRequests }
  const shown = await screen.asked(said)
  if (shown === said) return reply
  if (shown === undefined) return { kind: 'answer', message: { jsonrpc: '2.0', id: 0, error: HELD_BACK } }
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

/** Each question may be asked by itself, and then nothing else of the answer is shown with it. */
function withFound(request: unknown, found: Json): unknown {
  if (!isJsonObject(request) || !isJsonObject(request.params)) return request
  return { ...request, params: withMeta(request.params, found) }
}

function withMeta(said: Json, found: Json): Json {
  return { ...said, _meta: { ...objectOr(said._meta), ...found } }
}

const HELD_BACK = {
  code: RPC.internal,
  message: 'The question of the server was held back: it has something in it that nobody is to be shown.',
  data: { code: 'guardrail_blocked' },
}

function objectOr(value: unknown): Json {
  return isJsonObject(value) ? value : {}
}

/** Looks through what a server says apart from answers. Undefined: nobody is to hear it. */
export interface Screen {
  /** Of a notification: at once, because others come after it. */
  said(said: Json): Json | undefined
  /** Of a question, which may be long. */
  asked(said: Json): Json | undefined | Promise<Json | undefined>
}
