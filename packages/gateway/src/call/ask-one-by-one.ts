import { randomUUID } from 'node:crypto'
import type { Exchange } from '../exchange/exchange.ts'
import { isInputRequired } from '../protocol/eras.ts'
import { isJsonObject, type Json, type RpcError } from '../protocol/messages.ts'
import { asksAsGateway } from '../results/own-voice.ts'
import type { AskAnswer } from '../upstream/connection/upstream-request.ts'
import type { UpstreamServer } from '../upstream/upstream-server.ts'
import { askGuarded, type Guard } from './guard-texts.ts'
import type { CallReply, Remember } from './questions-in-call.ts'

/**
 * Maximum number of times that a server can ask during a call. A server that keeps asking will never answer the call.
 */
const MAX_ROUNDS = 10

interface Asking {
  readonly params: Json | undefined
  readonly server: UpstreamServer
  readonly guard: Guard
  readonly remember: Remember
}

/**
 * Forwards a request for a legacy client, which does not know `input_required`: the client gets the questions one by
 * one, and the gateway repeats the request with the answers.
 */
export async function forwardAsking(
  exchange: Exchange,
  { params: first, server, guard, remember }: Asking,
  send: (params: Json | undefined) => Promise<CallReply>,
): Promise<CallReply> {
  let params = first
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const reply = await send(params)
    const result = reply.kind === 'answer' && reply.era !== 'legacy' ? reply.message.result : undefined
    if (result === undefined || !isInputRequired(result)) return reply
    // A server must not ask in the gateway's name. A result that does is returned as it is, and `inspect` refuses it
    // later.
    if (asksAsGateway(result)) return reply
    const screened = await screenAsking(result, server)
    if ('error' in screened) return { kind: 'ended', error: screened.error }
    await remember(screened.result)
    const responses = await askAll(one => askGuarded(exchange, one, guard), screened.result.inputRequests)
    if ('error' in responses) return { kind: 'ended', error: responses.error }
    const { requestState } = result
    params = {
      ...first,
      inputResponses: responses.answers,
      ...(requestState === undefined ? {} : { requestState }),
    }
  }
  const detail = `the server asked for more input ${MAX_ROUNDS} times without giving a result`
  return { kind: 'failure', failure: { kind: 'protocol', detail, notSent: false } }
}

/**
 * Screens a result that asks for input. Returns it with questions that clients can be shown, or an error if the
 * questions are withheld.
 */
export async function screenAsking(
  result: Json,
  server: UpstreamServer,
): Promise<{ readonly result: Json } | { readonly error: RpcError }> {
  const screened = await server.screen({ kind: 'answer', message: { jsonrpc: '2.0', id: 0, result } })
  if (screened.kind !== 'answer') return { result }
  const { result: shown = result, error } = screened.message
  return error === undefined ? { result: shown } : { error }
}

type Answers = { readonly answers: Json } | Extract<AskAnswer, { error: unknown }>

async function askAll(ask: Exchange['ask'], requests: unknown): Promise<Answers> {
  const answers: Record<string, unknown> = {}
  for (const [key, request] of Object.entries(isJsonObject(requests) ? requests : {})) {
    if (!isJsonObject(request) || typeof request.method !== 'string') continue
    const params = isJsonObject(request.params) ? { params: withElicitationId(request.params) } : {}
    const answer = await ask({ method: request.method, ...params })
    if ('error' in answer) return answer
    answers[key] = answer.result
  }
  return { answers }
}

/**
 * Adds an id to a question that is answered at a URL. Older clients identify the question by this id, which newer
 * servers no longer send.
 */
function withElicitationId(params: Json): Json {
  return params.mode === 'url' ? { elicitationId: randomUUID(), ...params } : params
}
