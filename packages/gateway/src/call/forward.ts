import { META_SESSION, META_TASK } from '@hintgate/metadata'
import type { LongWork } from '../admission/long-work.ts'
import type { Exchange } from '../exchange/exchange.ts'
import { withoutLookAlikes } from '../protocol/look-alike-params.ts'
import { isJsonObject, type Json } from '../protocol/messages.ts'
import { Attempt, type ServerReply, type ServerRequest } from '../upstream/attempt.ts'
import { connectionOf } from '../upstream/connection/pending-calls.ts'
import type { UpstreamServer } from '../upstream/upstream-server.ts'
import { forwardAsking } from './ask-one-by-one.ts'
import { AskedInCall, type CallReply } from './questions-in-call.ts'

export interface Forwarded {
  readonly server: UpstreamServer
  readonly method: string
  readonly params: Json | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Whether repeating it does nothing more, even if it was executed. Absent: as its method says. */
  readonly mayRepeat?: boolean
  /** Told how often the request was sent so far. */
  readonly onAttempt?: ((count: number) => void) | undefined
  /** Puts a question of the server to the caller. Absent: as the exchange does. */
  readonly ask?: Exchange['ask']
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
export function forward(exchange: Exchange, given: Forwarded): Promise<CallReply> {
  const { method, onAttempt } = given
  // Methods of others have parameters of their own.
  const isOfProtocol = method === 'tools/call' || ASKS.has(method)
  const params = withoutOwnMeta(isOfProtocol ? withoutLookAlikes(given.params) : given.params)
  const request = params === given.params ? given : { ...given, params }
  onAttempt?.(1)
  return exchange.caller.era === 'modern'
    ? send(exchange, request, request.params)
    : forwardAsking(exchange, request, again => send(exchange, request, again))
}

/** The session and the task are for the gateway, not for servers. */
function withoutOwnMeta(params: Json | undefined): Json | undefined {
  const meta = params?._meta
  if (!isJsonObject(meta) || (meta[META_SESSION] ?? meta[META_TASK]) === undefined) return params
  const { [META_SESSION]: _session, [META_TASK]: _task, ...rest } = meta
  return { ...params, _meta: rest }
}

async function send(exchange: Exchange, request: Forwarded, params: Json | undefined): Promise<CallReply> {
  const client = new AskedInCall(exchange, request.ask)
  const reply = await sendFor({ exchange, client }, request, params).reply
  return reply.kind === 'answer' ? hearOut(reply, exchange, request) : client.endOf(reply)
}

/** The reply when its turn has come: long ones wait for each other. */
function hearOut(
  reply: ServerReply,
  exchange: Exchange,
  { longWork }: Forwarded,
): ServerReply | Promise<ServerReply> {
  const bytes = reply.kind === 'answer' ? (reply.bytes ?? 0) : 0
  const turn = longWork.turnForAnswer(exchange.caller.principal.id, exchange, bytes)
  return turn === undefined ? reply : turn.then(isWanted => (isWanted ? reply : { kind: 'cancelled' }))
}

interface From {
  readonly exchange: Exchange
  readonly client: AskedInCall
}

function sendFor(
  { exchange, client }: From,
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
    client,
    objectTo,
    mayRepeat,
    onAttempt,
  })
  return client.attend(sent)
}
