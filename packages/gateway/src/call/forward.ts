import { META_SESSION } from '@hintgate/metadata'
import type { LongWork } from '../admission/long-work.ts'
import type { Exchange } from '../exchange/exchange.ts'
import { foldKey } from '../protocol/field-path.ts'
import { isJsonObject, type Json } from '../protocol/messages.ts'
import { errorInOwnVoice, resultInOwnVoice } from '../results/own-voice.ts'
import { Attempt, type ServerReply, type ServerRequest } from '../upstream/attempt.ts'
import { connectionOf } from '../upstream/connection/pending-calls.ts'
import type { UpstreamServer } from '../upstream/upstream-server.ts'
import { forwardAsking } from './ask-one-by-one.ts'
import { AskedInCall } from './questions-in-call.ts'

export interface Forwarded {
  readonly server: UpstreamServer
  readonly method: string
  readonly params: Json | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Whether repeating it does nothing more, even if it was executed. Absent: as its method says. */
  readonly mayRepeat?: boolean
  /** Told how often the request was sent so far. */
  readonly onAttempt?: ((count: number) => void) | undefined
  /** Where a long answer waits for its turn before anybody looks at it. */
  readonly longWork: Pick<LongWork, 'turnForAnswer'>
  /** Asked before it is sent, each time, and before a question of the server is answered: why it must not be. */
  readonly objectTo?: ServerRequest['objectTo']
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

/** Sends a request to its server and brings back the reply, with progress, questions and cancellation on the way. */
export function forward(exchange: Exchange, given: Forwarded): Promise<ServerReply> {
  const { method, onAttempt } = given
  // Methods of others have parameters of their own.
  const isOfProtocol = method === 'tools/call' || ASKS.has(method)
  const params = withoutSession(isOfProtocol ? withoutLookAlikes(given.params) : given.params)
  const request = params === given.params ? given : { ...given, params }
  onAttempt?.(1)
  return exchange.caller.era === 'modern'
    ? send(exchange, request, request.params)
    : forwardAsking(exchange, request.params, again => send(exchange, request, again))
}

/** What a session is called is said to us, and to nobody behind us. */
function withoutSession(params: Json | undefined): Json | undefined {
  const meta = params?._meta
  if (!isJsonObject(meta) || meta[META_SESSION] === undefined) return params
  const { [META_SESSION]: _session, ...rest } = meta
  return { ...params, _meta: rest }
}

async function send(exchange: Exchange, request: Forwarded, params: Json | undefined): Promise<ServerReply> {
  const behind = new AskedInCall(exchange)
  const reply = await sendFor({ exchange, behind }, request, params).reply
  return reply.kind === 'answer' ? hearOut(reply, exchange, request) : behind.endOf(reply)
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

function sendFor(
  { exchange, behind }: From,
  { server, method, headers, mayRepeat = ASKS.has(method), onAttempt, objectTo }: Forwarded,
  params: Json | undefined,
): Attempt {
  let sent: Attempt | undefined
  let isGone = false
  exchange.onCancel(reason => {
    isGone = true
    sent?.cancel(reason)
  })
  // A caller that has gone meanwhile is not to have anything done.
  if (isGone) return Attempt.neverMade()
  sent = server.send({
    method,
    params,
    envelope: exchange.caller.envelope,
    timeoutMs: server.config.timeoutMs,
    session: connectionOf(exchange.caller),
    headers,
    behind,
    objectTo,
    mayRepeat,
    onAttempt,
  })
  return behind.attend(sent)
}

/** The parameters that the protocol has, over all requests that are passed on. */
const NAMES: ReadonlySet<string> = new Set([
  'name',
  'arguments',
  '_meta',
  'task',
  'requestState',
  'inputResponses',
  'uri',
  'ref',
  'argument',
  'context',
  'cursor',
])

const FOLDED: ReadonlySet<string> = new Set(Array.from(NAMES, foldKey))

/**
 * The parameters without those that only look like others: a server that reads keys without case takes `NAME` for
 * `name`, and would call another tool than the one that was judged.
 */
export function withoutLookAlikes(params: Json | undefined): Json | undefined {
  for (const key in params)
    if (isLookAlike(key))
      return Object.fromEntries(Object.entries(params).filter(([one]) => !isLookAlike(one)))
  return params
}

function isLookAlike(key: string): boolean {
  return !NAMES.has(key) && FOLDED.has(foldKey(key))
}

/**
 * The reply of a server without what it cannot have to say: remarks of ours, refusals and questions in our name, and of
 * an older server that it asks in a way that came after it.
 */
export function inOwnVoice(reply: ServerReply): ServerReply {
  if (reply.kind !== 'answer') return reply
  const { result, error } = reply.message
  if (error !== undefined) {
    const own = errorInOwnVoice(error)
    return own === error ? reply : { ...reply, message: { ...reply.message, error: own } }
  }
  if (result === undefined) return reply
  const cleaned = resultInOwnVoice(result, reply.era)
  if (cleaned === undefined) return { kind: 'failure', failure: IN_OUR_NAME }
  if (cleaned === result) return reply
  return { ...reply, message: { ...reply.message, result: cleaned }, text: undefined }
}

const IN_OUR_NAME = {
  kind: 'protocol',
  detail: 'the server asked or refused in the name of the gateway',
  notSent: false,
} as const
