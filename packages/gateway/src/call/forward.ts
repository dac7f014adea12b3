import { META_SESSION, META_TASK } from '@hintgate/metadata'
import type { LongWork } from '../admission/long-work.ts'
import type { Exchange } from '../exchange/exchange.ts'
import { withoutLookAlikes } from '../protocol/look-alike-params.ts'
import { isJsonObject, type Json } from '../protocol/messages.ts'
import { Attempt, type ServerReply, type ServerRequest } from '../upstream/attempt.ts'
import { connectionOf } from '../upstream/connection/pending-calls.ts'
import type { UpstreamServer } from '../upstream/upstream-server.ts'
import { forwardAsking } from './ask-one-by-one.ts'
import { type Guard, guardReason } from './guard-texts.ts'
import { CallClient, type CallReply, type Remember } from './questions-in-call.ts'

export interface Forwarded {
  readonly server: UpstreamServer
  readonly method: string
  readonly params: Json | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** True if executing the call twice has no further effect. If absent, that depends on the method. */
  readonly mayRepeat?: boolean
  /** Called with the number of attempts so far. */
  readonly onAttempt?: ((count: number) => void) | undefined
  /** Checks the caller's messages to the server during the call. */
  readonly guard: Guard
  readonly remember: Remember
  /** The queue in which long answers wait to be processed. */
  readonly longWork: Pick<LongWork, 'turnForAnswer'>
  /**
   * Called before an attempt, or an answer to the server's question, is sent. Returns the reason if it must not be
   * sent.
   */
  readonly objectTo?: ServerRequest['objectTo']
}

/** Methods that the protocol defines and that only read. */
const ASKS = new Set([
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'prompts/list',
  'prompts/get',
  'completion/complete',
])

/** Sends a request to its server, passes on progress, questions and cancellation, and returns the reply. */
export function forward(exchange: Exchange, given: Forwarded): Promise<CallReply> {
  const { method, onAttempt } = given
  // Methods that the protocol does not define can have parameters with any names.
  const isOfProtocol = method === 'tools/call' || ASKS.has(method)
  const params = withoutOwnMeta(isOfProtocol ? withoutLookAlikes(given.params) : given.params)
  const request = params === given.params ? given : { ...given, params }
  onAttempt?.(1)
  return exchange.caller.era === 'modern'
    ? send(exchange, request, request.params)
    : forwardAsking(exchange, request, again => send(exchange, request, again))
}

/** Removes the session and the task, which are meant for the gateway and not for servers. */
function withoutOwnMeta(params: Json | undefined): Json | undefined {
  const meta = params?._meta
  if (!isJsonObject(meta) || (meta[META_SESSION] ?? meta[META_TASK]) === undefined) return params
  const { [META_SESSION]: _session, [META_TASK]: _task, ...rest } = meta
  return { ...params, _meta: rest }
}

async function send(exchange: Exchange, request: Forwarded, params: Json | undefined): Promise<CallReply> {
  const client = new CallClient(exchange, request)
  const reply = await sendFor({ exchange, client }, request, params).reply
  if (client.isHeard !== undefined) await client.isHeard
  return reply.kind === 'answer' ? awaitTurn(reply, exchange, request) : client.endOf(reply)
}

/** Waits until a long reply can be processed, because long replies are processed one at a time. */
function awaitTurn(
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
  readonly client: CallClient
}

function sendFor(
  { exchange, client }: From,
  { server, method, headers, mayRepeat = ASKS.has(method), onAttempt, objectTo, guard }: Forwarded,
  params: Json | undefined,
): Attempt {
  let sent: Attempt | undefined
  let isGone = false
  exchange.onCancel(reason => {
    isGone = true
    sent?.cancel(reason === undefined ? undefined : guardReason(reason, guard))
  })
  // If the caller has already cancelled, nothing is sent.
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
  return client.track(sent)
}
