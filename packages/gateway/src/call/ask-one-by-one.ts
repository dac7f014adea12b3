import { randomUUID } from 'node:crypto'
import type { Exchange } from '../exchange/exchange.ts'
import { isInputRequired } from '../protocol/eras.ts'
import { isJsonObject, type Json } from '../protocol/messages.ts'
import type { ServerReply } from '../upstream/attempt.ts'
import type { AskAnswer } from '../upstream/connection/upstream-request.ts'

/** A server that keeps asking is not going to answer. */
const MAX_ROUNDS = 10

/**
 * For a client of the older era, which cannot be told `input_required`: the questions are asked one by one, and the request is
 * repeated with the answers.
 */
export async function forwardAsking(
  exchange: Exchange,
  first: Json | undefined,
  send: (params: Json | undefined) => Promise<ServerReply>,
): Promise<ServerReply> {
  let params = first
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const reply = await send(params)
    const result = reply.kind === 'answer' ? reply.message.result : undefined
    if (result === undefined || !isInputRequired(result)) return reply
    const responses = await askAll(exchange, result.inputRequests)
    if ('error' in responses)
      return { kind: 'answer', message: { jsonrpc: '2.0', id: 0, error: responses.error } }
    const { requestState } = result
    params = {
      ...first,
      inputResponses: responses.answers,
      ...(requestState === undefined ? {} : { requestState }),
    }
  }
  const detail = `the server asked for more input ${MAX_ROUNDS} times without answering`
  return { kind: 'failure', failure: { kind: 'protocol', detail, notSent: false } }
}

type Answers = { readonly answers: Json } | Extract<AskAnswer, { error: unknown }>

async function askAll(exchange: Exchange, requests: unknown): Promise<Answers> {
  const answers: Record<string, unknown> = {}
  for (const [key, request] of Object.entries(isJsonObject(requests) ? requests : {})) {
    if (!isJsonObject(request) || typeof request.method !== 'string') continue
    const params = isJsonObject(request.params) ? { params: withElicitationId(request.params) } : {}
    const answer = await exchange.ask({ method: request.method, ...params })
    if ('error' in answer) return answer
    answers[key] = answer.result
  }
  return { answers }
}

/** Older clients recognise a question by URL again by its id; newer servers no longer send one. */
function withElicitationId(params: Json): Json {
  return params.mode === 'url' ? { elicitationId: randomUUID(), ...params } : params
}
