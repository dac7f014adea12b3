import { randomUUID } from 'node:crypto'
import { META_SESSION } from '@hintgate/metadata'
import type { LongWork } from '../admission/long-work.ts'
import type { Exchange } from '../exchange/exchange.ts'
import { isInputRequired } from '../protocol/eras.ts'
import { isJsonObject, type Json } from '../protocol/messages.ts'
import { Attempt, type ServerReply } from '../upstream/attempt.ts'
import {
  type AskAnswer,
  connectionOf,
  type UpstreamRequest,
} from '../upstream/connection/upstream-request.ts'
import type { UpstreamServer } from '../upstream/upstream-server.ts'
import { AskedInCall } from './asked-in-call.ts'
import { inOwnVoice } from './own-voice.ts'
import { retry, type Sending } from './retry.ts'
import { withoutLookAlikes } from './without-look-alikes.ts'

export interface Forwarded {
  readonly server: UpstreamServer
  readonly method: string
  readonly params: Json | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Whether repeating it does nothing more, even if it was executed. Absent: as its method says. */
  readonly mayRepeat?: boolean
  /** Counts how often it was sent. */
  readonly tally?: { attempts: number }
  /** Where a long answer waits for its turn before anybody looks at it. */
  readonly longWork: Pick<LongWork, 'turnForAnswer'>
  /** Asked before it is sent, each time, and before a question of the server is answered: why it must not be. */
  readonly objectTo?: UpstreamRequest['objectTo']
}

/** What only asks, by the protocol itself. */
const ASKS = new Set([
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'prompts/list',
  'prompts/get',
  'completion/complete',
])

/** A server that keeps asking is not going to answer. */
const MAX_ROUNDS = 10

/**
 * Sends a request to its server and brings back the reply, with progress, questions and cancellation on the way.
 * A client of the older era cannot be told `input_required`: for it the questions are asked one by one, and the
 * request is repeated with the answers.
 */
export function forward(exchange: Exchange, given: Forwarded): Promise<ServerReply> {
  const { method, tally } = given
  // Methods of others have parameters of their own.
  const isOfProtocol = method === 'tools/call' || ASKS.has(method)
  const params = withoutSession(isOfProtocol ? withoutLookAlikes(given.params) : given.params)
  const request = params === given.params ? given : { ...given, params }
  if (tally !== undefined) tally.attempts = 1
  return exchange.caller.era === 'modern'
    ? send(exchange, request, request.params)
    : forwardAsking(exchange, request)
}

/** What a session is called is said to us, and to nobody behind us. */
function withoutSession(params: Json | undefined): Json | undefined {
  const meta = params?._meta
  if (!isJsonObject(meta) || meta[META_SESSION] === undefined) return params
  const { [META_SESSION]: _session, ...rest } = meta
  return { ...params, _meta: rest }
}

async function forwardAsking(exchange: Exchange, request: Forwarded): Promise<ServerReply> {
  let { params } = request
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const reply = await send(exchange, request, params)
    const result = reply.kind === 'answer' ? reply.message.result : undefined
    if (result === undefined || !isInputRequired(result)) return reply
    const responses = await askAll(exchange, result.inputRequests)
    if ('error' in responses)
      return { kind: 'answer', message: { jsonrpc: '2.0', id: 0, error: responses.error } }
    const { requestState } = result
    params = {
      ...request.params,
      inputResponses: responses.answers,
      ...(requestState === undefined ? {} : { requestState }),
    }
  }
  const detail = `the server asked for more input ${MAX_ROUNDS} times without answering`
  return { kind: 'failure', failure: { kind: 'protocol', detail, notSent: false } }
}

async function send(exchange: Exchange, request: Forwarded, params: Json | undefined): Promise<ServerReply> {
  const { server } = request
  const startedAt = performance.now()
  server.retries.deposit()
  const behind = new AskedInCall(exchange)
  const from = { exchange, behind }
  const reply = await sendOnce(from, request, { params, timeoutMs: server.config.timeoutMs }).reply
  if (reply.kind === 'answer') return hearOut(reply, exchange, request)
  if (reply.kind === 'cancelled') return behind.endOf(reply)
  const { method, mayRepeat = ASKS.has(method), tally } = request
  const sending: Sending = {
    exchange,
    server,
    params,
    mayRepeat,
    tally,
    startedAt,
    send: (again, timeoutMs) => sendOnce(from, request, { params: again, timeoutMs }),
  }
  return behind.endOf(await hearOut(await retry(sending, reply), exchange, request))
}

/** The reply as it may be read, by its own words and when its turn has come. */
function hearOut(
  reply: ServerReply,
  exchange: Exchange,
  { server, longWork }: Forwarded,
): ServerReply | Promise<ServerReply> {
  const bytes = reply.kind === 'answer' ? (reply.bytes ?? 0) : 0
  const turn = longWork.turnForAnswer(exchange.caller.principal.id, exchange, bytes)
  if (turn === undefined) return server.screen(inOwnVoice(reply))
  return turn.then(isWanted => (isWanted ? server.screen(inOwnVoice(reply)) : { kind: 'cancelled' }))
}

interface From {
  readonly exchange: Exchange
  readonly behind: AskedInCall
}

function sendOnce(
  { exchange, behind }: From,
  { server, method, headers, objectTo }: Forwarded,
  { params, timeoutMs }: { readonly params: Json | undefined; readonly timeoutMs: number },
): Attempt {
  let sent: Attempt | undefined
  let isGone = false
  exchange.onCancel(reason => {
    isGone = true
    sent?.cancel(reason)
  })
  // Whoever has gone meanwhile is not to have anything done.
  if (isGone) return Attempt.neverMade()
  sent = server.send({
    method,
    params,
    envelope: exchange.caller.envelope,
    timeoutMs,
    session: connectionOf(exchange.caller),
    headers,
    behind,
    objectTo,
  })
  return behind.attend(sent)
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
