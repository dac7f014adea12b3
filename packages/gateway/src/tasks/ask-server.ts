import { screenAsking } from '../call/ask-one-by-one.ts'
import { explainNoAnswer, quoteFailure } from '../call/explain-no-answer.ts'
import { forward } from '../call/forward.ts'
import { inspect, rememberPassages, saidWith } from '../call/inspect.ts'
import { gatherFacts } from '../call/judge-call.ts'
import { takeRates } from '../call/limit-rate.ts'
import { classify, findTool } from '../call/match-tool.ts'
import type { CallReply } from '../call/questions-in-call.ts'
import { entryOf, recordOutcome, startRecord } from '../call/record.ts'
import { hasFilter } from '../call/toolset/filter-answer.ts'
import type { Exchange } from '../exchange/exchange.ts'
import type { Classified, IncomingCall } from '../exchange/incoming-call.ts'
import type { Outcome } from '../exchange/outcome.ts'
import { limitOf } from '../policy/guardrails/limits-of.ts'
import { isInputRequired } from '../protocol/eras.ts'
import { isJsonObject, type Json, RPC, type RpcError } from '../protocol/messages.ts'
import { isTask } from '../protocol/tasks.ts'
import type { UpstreamServer } from '../upstream/upstream-server.ts'
import { type EndOfTask, endOf } from './end-task.ts'
import { readSaid, type SaidTask } from './remote-task.ts'
import type { TaskDeps } from './task-deps.ts'
import { callerOfTask, incomingOf } from './task-exchange.ts'
import type { RemoteTask, TaskCall } from './task-vault.ts'

/** A server's task, and the request of the client that asks about it. */
export interface Asked {
  readonly exchange: Exchange
  readonly call: TaskCall
  readonly remote: RemoteTask
  readonly classified: Classified
  readonly server: UpstreamServer
}

/** What a server's answer about its task means, after the answer was inspected. */
export type RemoteState =
  | { readonly kind: 'working'; readonly note: string | undefined }
  | { readonly kind: 'asking'; readonly requests: Json; readonly note: string | undefined }
  | { readonly kind: 'over'; readonly end: EndOfTask; readonly outcome: Outcome }
  | { readonly kind: 'error'; readonly error: RpcError }

/**
 * Finds the server and the tool of a task. Undefined if the caller is no longer allowed to use the tool, or if the tool
 * waits for review.
 */
export async function findAsked(
  exchange: Exchange,
  call: TaskCall,
  deps: TaskDeps,
): Promise<Asked | undefined> {
  const { remote } = call
  if (remote === undefined) return undefined
  const set = call.set === undefined ? undefined : deps.findSet(call.set)
  if (set?.name !== call.set) return undefined
  const incoming = asIfFrom(exchange, { call, set })
  const target = await findTool(incoming, deps.corridor())
  if ('refusal' in target) return undefined
  const { server, tool, offered } = target
  return { exchange, call, remote, server, classified: classify(incoming, tool, offered) }
}

/** The call that made the task, as if this request had made it. */
function asIfFrom(
  exchange: Exchange,
  { call, set }: { readonly call: TaskCall } & Pick<IncomingCall, 'set'>,
): IncomingCall {
  const caller = { ...callerOfTask(call, exchange.caller.principal), session: call.session }
  return incomingOf(call, { exchange: inName(exchange, caller), set })
}

function inName(exchange: Exchange, caller: Exchange['caller']): Exchange {
  const { requestId, id, params } = exchange
  return {
    requestId,
    caller,
    id,
    method: 'tools/call',
    params,
    notify: notification => exchange.notify(notification),
    ask: async () => ({
      error: { code: RPC.methodNotFound, message: 'the question must be part of the task' },
    }),
    onCancel: listener => exchange.onCancel(listener),
  }
}

/** Asks the server about its task, and inspects everything that the client will read. */
export async function askAboutTask(asked: Asked, deps: TaskDeps): Promise<RemoteState> {
  const reply = await sendAbout(asked, { method: 'tasks/get' }, deps)
  if (reply.kind === 'error') return reply
  const { message } = reply
  if (message.error !== undefined) return explainError(message.error, asked, deps)
  const said = readSaid(message.result ?? {}, asked.remote)
  if (said === undefined) return { kind: 'error', error: unusable(asked.call.server) }
  const isOver = said.status === 'completed' || said.status === 'failed'
  return asked.server.handshake?.era === 'legacy' && isOver
    ? fetchResult(asked, deps)
    : readState(said, reply, { asked, deps })
}

/** In revision 2025-11-25, the result of a task is fetched by a request of its own. */
async function fetchResult(asked: Asked, deps: TaskDeps): Promise<RemoteState> {
  const reply = await sendAbout(asked, { method: 'tasks/result' }, deps)
  if (reply.kind === 'error') return reply
  const { error, result = {} } = reply.message
  const part = error === undefined ? { result: finished(withoutRelation(result)) } : { error }
  return over(await inspectAs(reply, part, { asked, deps }))
}

/** The client knows the task by another id, and needs no reference to it. */
function withoutRelation(result: Json): Json {
  if (!isJsonObject(result._meta)) return result
  const { [RELATED]: _, ...meta } = result._meta
  return { ...result, _meta: meta }
}

/** The result of a finished task is neither a question nor another task, which would pass a filter. */
function finished(result: Json = {}): Json {
  const { resultType: _, ...rest } = result
  return isInputRequired(result) || isTask(result) ? rest : result
}

const RELATED = 'io.modelcontextprotocol/related-task'

type Answer = Extract<CallReply, { kind: 'answer' }>

interface Reading {
  readonly asked: Asked
  readonly deps: TaskDeps
}

async function readState(said: SaidTask, reply: Answer, reading: Reading): Promise<RemoteState> {
  switch (said.status) {
    case 'working':
      return { kind: 'working', note: await noteOf(said, reply, reading) }
    case 'input_required':
      return readQuestions(said, reply, reading)
    case 'completed':
      return over(await inspectAs(reply, { result: finished(said.result) }, reading))
    case 'failed':
      return over(await inspectAs(reply, { error: errorOf(said) }, reading))
    case 'cancelled':
      return {
        ...over({ kind: 'cancelled' }),
        end: { state: 'cancelled', ending: {}, note: await noteOf(said, reply, reading) },
      }
  }
}

function over(outcome: Outcome) {
  return { kind: 'over', end: endOf(outcome, true), outcome } as const
}

function errorOf({ error = {} }: SaidTask): RpcError {
  const { code, message, data } = error
  return {
    code: typeof code === 'number' ? code : RPC.internal,
    message: typeof message === 'string' ? message : 'the task failed',
    ...(data === undefined ? {} : { data }),
  }
}

/** Inspects a part of the server's answer as if it were the answer to the call. */
function inspectAs(
  reply: Answer,
  part: { readonly result: Json } | { readonly error: RpcError },
  { asked: { classified }, deps }: Reading,
): Outcome | Promise<Outcome> {
  const corridor = deps.corridor()
  const { id } = reply.message
  const { text: _, ...rest } = reply
  const record = { ...startRecord(classified.call), classified }
  const remember = (outcome: Outcome) => rememberPassages(record, saidWith(outcome), corridor)
  const message = { jsonrpc: '2.0', id, ...part } as const
  return inspect({ ...rest, message }, classified, { attempts: 1, notes: [], remember, deps: corridor })
}

/** Returns the server's note about its task, inspected like a result. A note has no fields that a filter could keep. */
async function noteOf(
  { statusMessage }: SaidTask,
  reply: Answer,
  reading: Reading,
): Promise<string | undefined> {
  if (statusMessage === undefined || hasFilter(reading.asked.classified)) return undefined
  const content = [{ type: 'text', text: statusMessage }]
  // The note is passed as an error, because an error need not match the tool's output schema.
  const outcome = await inspectAs(reply, { result: { content, isError: true } }, reading)
  const shown = outcome.kind === 'answered' ? outcome.result.content : undefined
  const texts = Array.isArray(shown) ? shown.map(part => (isJsonObject(part) ? part.text : undefined)) : []
  const said = texts.filter(text => typeof text === 'string')
  return said.length === 0 ? undefined : said.join('\n')
}

async function readQuestions(said: SaidTask, reply: Answer, reading: Reading): Promise<RemoteState> {
  const { inputRequests = {} } = said
  const outcome = await inspectAs(reply, { result: { resultType: 'input_required', inputRequests } }, reading)
  if (outcome.kind !== 'answered') return over(outcome)
  const screened = await screenAsking(outcome.result, reading.asked.server)
  if ('error' in screened) return { kind: 'error', error: screened.error }
  const { inputRequests: shown } = screened.result
  const requests = isJsonObject(shown) ? shown : {}
  return { kind: 'asking', requests, note: await noteOf(said, reply, reading) }
}

/** A server that no longer knows its task has ended it. Other errors can be temporary. */
async function explainError(error: RpcError, asked: Asked, deps: TaskDeps): Promise<RemoteState> {
  const reply: Answer = { kind: 'answer', message: { jsonrpc: '2.0', id: 0, error } }
  const outcome = await inspectAs(reply, { error }, { asked, deps })
  if (error.code === RPC.invalidParams) return over(outcome)
  return { kind: 'error', error: outcome.kind === 'error' ? outcome.error : unusable(asked.call.server) }
}

interface About {
  readonly method: 'tasks/get' | 'tasks/update' | 'tasks/cancel' | 'tasks/result'
  readonly responses?: Json
}

/** Sends a request about a task to the server that made it. */
export async function sendAbout(
  { exchange, remote, classified, server }: Asked,
  { method, responses }: About,
  deps: TaskDeps,
): Promise<Answer | { readonly kind: 'error'; readonly error: RpcError }> {
  const corridor = deps.corridor()
  const limited = await limitAbout(server.name, deps)
  if (limited !== undefined) return { kind: 'error', error: limited }
  const facts = gatherFacts(classified, { server, riskFactors: {}, now: Date.now() })
  // Sent in the session in which the task was made, because some servers have a connection for each session.
  const reply = await forward(classified.call.exchange, {
    server,
    method,
    params: {
      taskId: remote.id,
      ...(responses === undefined ? {} : { inputResponses: responses }),
      ...(exchange.params?._meta === undefined ? {} : { _meta: exchange.params._meta }),
    },
    mayRepeat: method !== 'tasks/update',
    guard: { facts, rules: corridor.rules },
    remember: said => rememberPassages({ ...startRecord(classified.call), classified }, said, corridor),
    longWork: corridor.longWork,
  })
  if (reply.kind === 'answer') return reply
  if (reply.kind === 'ended') return { kind: 'error', error: reply.error }
  if (reply.kind === 'cancelled')
    return { kind: 'error', error: { code: RPC.internal, message: 'the request was cancelled' } }
  const { code, text } = explainNoAnswer(reply)
  const why =
    reply.kind === 'failure' ? (quoteFailure(server, corridor) ?? "the gateway's log has the reason") : text
  const message = `The server ${JSON.stringify(server.name)} gave no answer about the task: ${why}`
  return { kind: 'error', error: { code: RPC.internal, message, data: { code } } }
}

/** The rate limit of the server applies to questions about its tasks, but that of the token does not: clients poll. */
async function limitAbout(name: string, deps: TaskDeps): Promise<RpcError | undefined> {
  const { rules, rates } = deps.corridor()
  const rate = rules().rateOf(name)
  const exceeded = rate && (await takeRates([limitOf('server', name, rate)], rates))
  if (exceeded === undefined) return undefined
  const seconds = Math.max(1, Math.ceil(exceeded.waitMs / 1000))
  const message = `Too many requests: ${exceeded.rule.reason.text}. Wait ${seconds} s.`
  return { code: RPC.generic, message, data: { code: 'rate_limited' } }
}

function unusable(server: string): RpcError {
  const message = `The server ${JSON.stringify(server)} gave an answer about the task that the gateway cannot use.`
  return { code: RPC.internal, message, data: { code: 'upstream_protocol' } }
}

/** Records a late result like that of a direct call, with the request that it belongs to. */
export async function recordLate(
  { classified, remote }: Asked,
  outcome: Outcome,
  deps: TaskDeps,
): Promise<void> {
  const record = startRecord(classified.call)
  record.classified = classified
  record.attempts = 1
  const text = `the result of a task that the server made in request ${remote.request}`
  record.intent = {
    ...entryOf(record),
    verdict: 'allow',
    reasons: [{ rule: 'task', source: 'gateway', text }],
  }
  await recordOutcome(record, outcome, deps.corridor().recorder)
}
