import { screenAsking } from '../../call/ask-one-by-one.ts'
import type { CallDeps } from '../../call/call-deps.ts'
import { explainNoAnswer, IMPERSONATION, quoteFailure } from '../../call/explain-no-answer.ts'
import { forward } from '../../call/forward.ts'
import { askGuarded } from '../../call/guard-texts.ts'
import { MOMENT_MS } from '../../call/recheck.ts'
import { OTHERS, type OtherDefinitions } from '../../catalog/other-definitions.ts'
import type { Caller, Exchange } from '../../exchange/exchange.ts'
import type { RefusalCode } from '../../exchange/outcome.ts'
import type { Answer, RequestDetails } from '../../exchange/surface.ts'
import { isInputRequired } from '../../protocol/eras.ts'
import { type Json, RPC, type RpcError } from '../../protocol/messages.ts'
import { rememberTexts } from '../../provenance/remember-texts.ts'
import { textsOfResult } from '../../provenance/texts-of-result.ts'
import { checkErrorBeside } from '../../results/check-error.ts'
import { type Beside, checkResultBeside, type Place } from '../../results/check-result.ts'
import { errorInOwnVoice, resultInOwnVoice } from '../../results/own-voice.ts'
import { mayUseServer } from '../../scope/match-scope.ts'
import type { Era } from '../../store/store.ts'
import type { ServerReply } from '../../upstream/attempt.ts'
import type { Failure, Objection } from '../../upstream/channel/channel.ts'
import type { UpstreamServer } from '../../upstream/upstream-server.ts'
import { inEraOf } from './answer-call.ts'
import { factsOf, guardPassage, isRead, limitPassage, mayPass, type OwnError } from './guard-passage.ts'
import { introduce } from './introduce.ts'
import { notePassage } from './note-passage.ts'
import { type Passed, recordPassage, type Tally } from './record-passage.ts'
import { refuseHeld } from './refuse-held.ts'
import { heldBack, screenError } from './screen-said.ts'

export const METHOD_NOT_FOUND: RpcError = { code: RPC.methodNotFound, message: 'Method not found' }

export interface PassDeps extends CallDeps {
  readonly others: OtherDefinitions
}

interface Target {
  readonly server: UpstreamServer
  readonly deps: PassDeps
}

const OTHER_KINDS = ['prompt', 'template'] as const

/** What is no tool call, on its way to one server, and the answer on its way back. */
export function passOn(exchange: Exchange, target: Target): Promise<Answer> {
  return pass(exchange, target, tally => send(exchange, target, tally))
}

/** Whatever is wanted of a server and is no tool call is allowed, counted, looked through and written down before it is done. */
export async function pass(
  wanted: RequestDetails,
  target: Target,
  go: (tally: Tally) => Promise<Passed>,
): Promise<Answer> {
  const { server, deps } = target
  if (!isOpenTo(wanted, target)) return { error: METHOD_NOT_FOUND }
  return recordPassage(wanted, { server: server.name, recorder: deps.recorder }, async tally => {
    const refusal =
      (await limitPassage(wanted, server.name, deps)) ??
      guardPassage(wanted, server, deps) ??
      (await refuseHeld(wanted, { server, others: deps.others })) ??
      (await notePassage(wanted, server.name, deps))
    return refusal === undefined ? go(tally) : refused(refusal)
  })
}

/** Nothing was sent. */
export function refused(error: OwnError): Passed {
  return { answer: { error }, ours: { outcome: 'refused', code: error.data?.code } }
}

/** It was sent, or may have been, and what came of it does not reach the caller. */
function failed(error: RpcError, code: RefusalCode): Passed {
  return { answer: { error }, ours: { outcome: 'failed', code } }
}

/** What is reviewed one by one is held one by one; resources are not. */
const RESOURCES = new Set(['resources/list', 'resources/read', 'resources/subscribe', 'subscriptions/listen'])

/**
 * A method that the protocol does not have is one only where the operator says so. It and the resources of a server are
 * there when something of the server is approved.
 */
function isOpenTo(
  { method, caller }: Pick<RequestDetails, 'method' | 'caller'>,
  { server, deps }: Target,
): boolean {
  if (!mayPass(caller.principal.scope, method)) return false
  if (isRead(method) && !RESOURCES.has(method)) return true
  if (deps.catalog.isWhollyHeld(server)) return false
  if (isRead(method)) return true
  // The result of a task would come by a way that nobody looks at.
  return server.config.passMethods.includes(method) && !method.startsWith('tasks/')
}

/** As it is, to the server; who calls this has had it allowed by `pass`. */
export async function send(exchange: Exchange, target: Target, tally: Tally): Promise<Passed> {
  const { server, deps } = target
  const { method, params } = exchange
  const objectTo = lookAgain(exchange, target)
  const reply = await forward(exchange, {
    server,
    method,
    params,
    onAttempt: count => {
      tally.attempts = count
    },
    objectTo,
    ask: one => askGuarded(exchange, one, { facts: factsOf(exchange, server), rules: deps.rules }),
    longWork: deps.longWork,
  })
  if (reply.kind === 'failure' && reply.failure === NO_LONGER)
    return failed(METHOD_NOT_FOUND, 'permission_denied')
  if (reply.kind === 'cancelled') return { answer: { cancelled: true } }
  if (reply.kind === 'ended') return { answer: { error: reply.error } }
  if (reply.kind !== 'answer') return sayNoAnswer(reply, target)
  const { error, result = {} } = reply.message
  return error === undefined
    ? sayResult({ said: result, era: reply.era }, exchange, target)
    : sayError(error, exchange, target)
}

const NO_LONGER: Failure = { kind: 'quarantined', detail: 'it may no longer be asked for', notSent: true }

/** What waited, for its server or for an answer, is passed on only if whoever wants it may still have it. */
function lookAgain({ caller, method }: Exchange, target: Target): () => Objection {
  const { server, deps } = target
  const startedAt = performance.now()
  return () => {
    if (performance.now() - startedAt < MOMENT_MS && deps.isAsBefore(caller.principal)) return undefined
    return deps.scopeNow(caller.principal).then(scope => {
      const isOpen =
        scope !== undefined &&
        mayUseServer(scope, server.name) &&
        isOpenTo({ method, caller: { ...caller, principal: { ...caller.principal, scope } } }, target)
      return isOpen ? undefined : NO_LONGER
    })
  }
}

/** Why there is none may quote the server. */
function sayNoAnswer(reply: NoAnswer, { server, deps }: Target): Passed {
  const { code, text } = explainNoAnswer(reply)
  const why = reply.kind === 'failure' && deps.catalog.isWhollyHeld(server) ? UNSAID : text
  return failed(screenError(noAnswer(server.name, code, why), deps.rules().results(server.name)), code)
}

/** Where clients look first. A list and a completion have no such place: each of their items is taken by itself. */
const PLACES: ReadonlyMap<string, Place> = new Map([
  ['resources/read', 'contents'],
  ['prompts/get', 'messages'],
])

interface Result {
  readonly said: Json
  readonly era: Era | undefined
}

async function sayResult({ said, era }: Result, wanted: RequestDetails, target: Target): Promise<Passed> {
  const { caller, method } = wanted
  const { server, deps } = target
  const listed = await keepApproved(said, { method, server, others: deps.others })
  const result = deps.catalog.isWhollyHeld(server) ? onlyApproved(listed, method) : listed
  const checking = {
    rules: deps.rules().results(server.name),
    isOpenWorld: true,
    place: PLACES.get(method) ?? 'nowhere',
    misfit: undefined,
    restrain: (shown: Json) => resultInOwnVoice(shown, era),
  }
  const checked = await checkResultBeside(result, checking, besideOf(caller, deps))
  if (checked.kind === 'blocked') return failed(heldBack(checked.reasons), 'guardrail_blocked')
  if (checked.kind === 'impersonates') return sayNoAnswer(IMPERSONATION, target)
  const shown = checked.kind === 'clean' ? result : checked.result
  await rememberRead(textsOfResult(shown), wanted, target)
  const screened = isInputRequired(shown) ? await screenAsking(shown, server) : { result: shown }
  return {
    answer:
      'error' in screened ? screened : inEraOf(caller, method, screened.result, introduce(server, deps)),
  }
}

/** Resources and prompts are read by agents just as results are. */
function rememberRead(
  texts: readonly string[],
  { caller, method, params, requestId }: RequestDetails,
  { server, deps }: Target,
): undefined | Promise<void> {
  if (deps.rules().confirm.provenance === 'off') return undefined
  const source = {
    server: server.name,
    tool: method,
    request: requestId,
    session: caller.session,
    at: Date.now(),
  }
  return rememberTexts(texts, { memory: deps.passages, principal: caller.principal.id, source, args: params })
}

async function sayError(
  error: RpcError,
  { caller }: RequestDetails,
  { server, deps }: Target,
): Promise<Passed> {
  if (deps.catalog.isWhollyHeld(server)) return failed(WAITS, 'quarantined')
  const rules = deps.rules().results(server.name)
  const checking = { rules, isOpenWorld: true, restrain: errorInOwnVoice }
  const checked = await checkErrorBeside(error, checking, besideOf(caller, deps))
  return checked.kind === 'blocked'
    ? failed(heldBack(checked.reasons), 'guardrail_blocked')
    : { answer: { error: checked.error } }
}

function besideOf({ principal }: Caller, { searcher }: PassDeps): Beside {
  return { searcher, owner: principal.id }
}

type NoAnswer = Exclude<ServerReply, { kind: 'answer' | 'cancelled' }>

interface Listing {
  readonly method: string
  readonly server: UpstreamServer
  readonly others: OtherDefinitions
}

function listedBy(method: string) {
  const kind = OTHER_KINDS.find(other => OTHERS[other].method === method)
  return kind === undefined ? undefined : { kind, member: OTHERS[kind].member }
}

/** Of what a server lists, only what an operator approved just as it is. */
async function keepApproved(result: Json, { method, server, others }: Listing): Promise<Json> {
  const list = listedBy(method)
  if (list === undefined || others.isOpen) return result
  const { kind, member } = list
  const items = Array.isArray(result[member]) ? result[member] : []
  return { ...result, [member]: await others.keepApproved(server, kind, items) }
}

/**
 * Of a server that waits for review, nothing that stands beside what was approved: not the name of its next page, and no
 * remark. (A prompt and a completion were approved by what they are for; nothing else is passed on to such a server.)
 */
function onlyApproved(result: Json, method: string): Json {
  const list = listedBy(method)
  if (list !== undefined) return { [list.member]: result[list.member] ?? [] }
  return method === 'logging/setLevel' ? {} : result
}

/** Why a server cannot be used now, as far as agents may read it. */
export function unavailable({ server, deps }: Target): RpcError {
  const { name, lastFailure: failure } = server
  const ending = explainNoAnswer(failure === undefined ? { kind: 'timeout' } : { kind: 'failure', failure })
  return noAnswer(
    name,
    ending.code,
    failure === undefined ? ending.text : (quoteFailure(server, deps) ?? UNSAID),
  )
}

const UNSAID = 'why is in the log of the gateway'

const WAITS: RpcError = {
  code: RPC.internal,
  message: 'The server waits for review; what it answered is not shown.',
  data: { code: 'quarantined' },
}

function noAnswer(server: string, code: RefusalCode, text: string): RpcError {
  return {
    code: RPC.internal,
    message: `The server ${JSON.stringify(server)} gave no answer: ${text}`,
    data: { code },
  }
}
