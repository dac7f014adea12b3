import { screenAsking } from '../../call/ask-one-by-one.ts'
import type { CallDeps } from '../../call/call-deps.ts'
import { explainNoAnswer, IMPERSONATION, quoteFailure } from '../../call/explain-no-answer.ts'
import { forward } from '../../call/forward.ts'
import { MOMENT_MS } from '../../call/recheck.ts'
import { appOf } from '../../catalog/app-of-tool.ts'
import { OTHERS, type OtherDefinitions } from '../../catalog/other-definitions.ts'
import { areContents, isPage, withoutDemands } from '../../catalog/read-page.ts'
import type { Caller, Exchange } from '../../exchange/exchange.ts'
import type { RefusalCode } from '../../exchange/outcome.ts'
import type { Answer, RequestDetails } from '../../exchange/surface.ts'
import type { Reason } from '../../policy/facts/facts.ts'
import type { ResultRules } from '../../policy/rules.ts'
import { isInputRequired } from '../../protocol/eras.ts'
import { isJsonObject, type Json, RPC, type RpcError } from '../../protocol/messages.ts'
import { rememberTexts } from '../../provenance/remember-texts.ts'
import { checkErrorBeside } from '../../results/check-error.ts'
import { type Beside, checkResultBeside, type Place } from '../../results/check-result.ts'
import { errorInOwnVoice, resultInOwnVoice } from '../../results/own-voice.ts'
import { mayUseServer } from '../../scope/match-scope.ts'
import type { Era } from '../../store/store.ts'
import type { ServerReply } from '../../upstream/attempt.ts'
import type { Failure, Objection } from '../../upstream/channel/channel.ts'
import type { UpstreamServer } from '../../upstream/upstream-server.ts'
import { inEraOf } from './answer-call.ts'
import { describeServer } from './describe-server.ts'
import { factsOf, guardRequest, isRead, limitRequest, mayRequest, type OwnError } from './guard-request.ts'
import { judgeRequest } from './judge-request.ts'
import { noteRequest } from './note-request.ts'
import { type AttemptCounter, type RequestResult, recordClosed, recordRequest } from './record-request.ts'
import { refuseHeld } from './refuse-held.ts'
import { heldBack, screenError } from './screen-server-messages.ts'

export const METHOD_NOT_FOUND: RpcError = { code: RPC.methodNotFound, message: 'Method not found' }

export interface PassDeps extends CallDeps {
  readonly others: OtherDefinitions
}

interface Target {
  readonly server: UpstreamServer
  readonly deps: PassDeps
}

const OTHER_KINDS = ['prompt', 'template'] as const

/** Passes a request that is not a tool call to one server, and returns the answer. */
export function passOn(exchange: Exchange, target: Target): Promise<Answer> {
  return pass(exchange, target, counter => send(exchange, target, counter))
}

/** Checks, counts and records a request that is not a tool call, before and after it is sent. */
export async function pass(
  wanted: RequestDetails,
  target: Target,
  work: (counter: AttemptCounter) => Promise<RequestResult>,
): Promise<Answer> {
  const { server, deps } = target
  const place = { server: server.name, recorder: deps.recorder }
  const code = whyClosed(wanted, target)
  if (code !== undefined) return recordClosed(wanted, place, { error: METHOD_NOT_FOUND, code })
  return recordRequest(wanted, place, async counter => {
    const refusal =
      (await limitRequest(wanted, server.name, deps)) ??
      guardRequest(wanted, server, deps) ??
      (await refuseHeld(wanted, { server, others: deps.others }))
    if (refusal !== undefined) return refused(refusal)
    const denied = await judgeRequest(wanted, server, deps)
    if (denied !== undefined) return refused(denied.error, denied.reasons)
    const risky = await noteRequest(wanted, server.name, deps)
    return risky === undefined ? work(counter) : refused(risky)
  })
}

/** Returns the result of a request that was refused before anything was sent. */
export function refused(error: OwnError, reasons: readonly Reason[] = []): RequestResult {
  return { answer: { error }, fromGateway: { outcome: 'refused', code: error.data?.code, reasons } }
}

/** Returns the result of a request that was sent, or might have been, but whose answer does not reach the caller. */
function failed(error: RpcError, code: RefusalCode): RequestResult {
  return { answer: { error }, fromGateway: { outcome: 'failed', code } }
}

/**
 * The methods for resources. Resources are not reviewed one by one, so these methods wait until at least one definition
 * of the server is approved.
 */
const RESOURCES = new Set(['resources/list', 'resources/read', 'resources/subscribe', 'subscriptions/listen'])

/**
 * Returns an error if the caller cannot use the method, otherwise undefined. A method outside the protocol must be
 * listed in the config. Such methods, and a server's resources, are available only after at least one definition of the
 * server was approved.
 */
function whyClosed(
  { method, caller }: Pick<RequestDetails, 'method' | 'caller'>,
  { server, deps }: Target,
): RefusalCode | undefined {
  if (!mayRequest(caller.principal.scope, method)) return 'permission_denied'
  if (isRead(method) && !RESOURCES.has(method)) return undefined
  if (deps.catalog.isWhollyHeld(server)) return 'quarantined'
  if (isRead(method)) return undefined
  // Methods for tasks are never passed on as they are, because the results of tasks would bypass the checks.
  const isPassed = server.config.passMethods.includes(method) && !method.startsWith('tasks/')
  return isPassed ? undefined : 'permission_denied'
}

/** Sends a request that `pass` has checked. */
export async function send(
  exchange: Exchange,
  target: Target,
  counter: AttemptCounter,
): Promise<RequestResult> {
  const { server, deps } = target
  const { method, params } = exchange
  const objectTo = recheckRequest(exchange, target)
  const reply = await forward(exchange, {
    server,
    method,
    params,
    onAttempt: count => {
      counter.attempts = count
    },
    objectTo,
    remember: said => rememberRead(said, exchange, target),
    guard: { facts: factsOf(exchange, server), rules: deps.rules },
    longWork: deps.longWork,
  })
  if (reply.kind === 'failure' && reply.failure === NO_LONGER_ALLOWED)
    return failed(METHOD_NOT_FOUND, 'permission_denied')
  if (reply.kind === 'cancelled') return { answer: { cancelled: true } }
  if (reply.kind === 'ended') return { answer: { error: reply.error } }
  if (reply.kind !== 'answer') return answerFailure(reply, exchange, target)
  const { error, result = {} } = reply.message
  return error === undefined
    ? answerResult({ said: result, era: reply.era }, exchange, target)
    : answerError(error, exchange, target)
}

const NO_LONGER_ALLOWED: Failure = {
  kind: 'quarantined',
  detail: 'the caller is no longer allowed to use it',
  notSent: true,
}

/**
 * Checks a request again just before it is sent. It might have waited, and its caller might have lost the permission
 * since.
 */
function recheckRequest({ caller, method }: Exchange, target: Target): () => Objection {
  const { server, deps } = target
  const startedAt = performance.now()
  return () => {
    if (performance.now() - startedAt < MOMENT_MS && deps.isAsBefore(caller.principal)) return undefined
    return deps.scopeNow(caller.principal).then(scope => {
      const isOpen =
        scope !== undefined &&
        mayUseServer(scope, server.name) &&
        whyClosed({ method, caller: { ...caller, principal: { ...caller.principal, scope } } }, target) ===
          undefined
      return isOpen ? undefined : NO_LONGER_ALLOWED
    })
  }
}

/** Answers with the reason why the server gave no answer. The reason is screened, because it can quote the server. */
async function answerFailure(
  reply: NoAnswer,
  wanted: RequestDetails,
  { server, deps }: Target,
): Promise<RequestResult> {
  const { code, text } = explainNoAnswer(reply)
  const why = reply.kind === 'failure' && deps.catalog.isWhollyHeld(server) ? REASON_IN_LOG : text
  const error = screenError(noAnswer(server.name, code, why), deps.rules().results(server.name))
  await rememberRead(error, wanted, { server, deps })
  return failed(error, code)
}

/**
 * For each method, the member of the result to which a warning is added, because clients read it first. Lists and
 * completions have no such member, because clients use each of their items separately.
 */
const PLACES: ReadonlyMap<string, Place> = new Map([
  ['resources/read', 'contents'],
  ['prompts/get', 'messages'],
])

interface Result {
  readonly said: Json
  readonly era: Era | undefined
}

async function answerResult(
  { said, era }: Result,
  wanted: RequestDetails,
  target: Target,
): Promise<RequestResult> {
  const { caller, method } = wanted
  const { server, deps } = target
  const listed = await keepApproved(said, { method, server, others: deps.others })
  const result = deps.catalog.isWhollyHeld(server) ? onlyApproved(listed, method) : listed
  const rules = deps.rules().results(server.name)
  const page = findPage(result, wanted, target)
  if (page !== undefined && !(await deps.others.isApprovedPage(server, page.uri, page.contents)))
    return failed(PAGE_WAITS, 'quarantined')
  const checking = {
    rules: page !== undefined && isPage(page.contents) ? rulesForApps(rules) : rules,
    isOpenWorld: true,
    place: PLACES.get(method) ?? 'nowhere',
    misfit: undefined,
    restrain: (shown: Json) => resultInOwnVoice(shown, era),
  }
  const checked = await checkResultBeside(result, checking, besideOf(caller, deps))
  if (checked.kind === 'blocked') return failed(heldBack(checked.reasons), 'guardrail_blocked')
  if (checked.kind === 'impersonates') return answerFailure(IMPERSONATION, wanted, target)
  const shown = checked.kind === 'clean' ? result : checked.result
  await rememberRead(shown, wanted, target)
  const screened = isInputRequired(shown) ? await screenAsking(shown, server) : { result: shown }
  return {
    answer:
      'error' in screened ? screened : inEraOf(caller, method, screened.result, describeServer(server, deps)),
  }
}

/**
 * The page of an app is a program that the host runs, not text for the agent. A change would break the page, so what is
 * found in it is only recorded, unless it must be blocked.
 */
function rulesForApps(rules: ResultRules): ResultRules {
  const record = <T extends string>(action: T): T | 'flag' =>
    action === 'off' || action === 'block' ? action : 'flag'
  return {
    schema: rules.schema,
    secrets: record(rules.secrets),
    pii: record(rules.pii),
    hidden: record(rules.hidden),
    instructions: record(rules.instructions),
  }
}

/** Returns the contents in a result, if an approved tool names them as the page of its app. */
function findPage({ contents }: Json, { method, params }: RequestDetails, { server, deps }: Target) {
  const uri = params?.uri
  if (method !== 'resources/read' || typeof uri !== 'string' || !areContents(contents)) return undefined
  return deps.catalog.tools(server.name).some(tool => appOf(tool) === uri) ? { uri, contents } : undefined
}

/**
 * Remembers text that an agent will read, for provenance. Resources, prompts, lists and errors count like tool results.
 */
function rememberRead(
  said: unknown,
  { caller, method, params, requestId }: RequestDetails,
  { server, deps }: Target,
): undefined | Promise<void> {
  const source = {
    server: server.name,
    tool: method,
    request: requestId,
    session: caller.session,
    at: Date.now(),
  }
  return rememberTexts(said, { memory: deps.passages, principal: caller.principal.id, source, args: params })
}

async function answerError(
  error: RpcError,
  wanted: RequestDetails,
  { server, deps }: Target,
): Promise<RequestResult> {
  if (deps.catalog.isWhollyHeld(server)) return failed(WAITS_FOR_REVIEW, 'quarantined')
  const rules = deps.rules().results(server.name)
  const checking = { rules, isOpenWorld: true, restrain: errorInOwnVoice }
  const checked = await checkErrorBeside(error, checking, besideOf(wanted.caller, deps))
  if (checked.kind === 'blocked') return failed(heldBack(checked.reasons), 'guardrail_blocked')
  await rememberRead(checked.error, wanted, { server, deps })
  return { answer: { error: checked.error } }
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

/** Removes all items from a server's list except those that an operator approved and that have not changed since. */
async function keepApproved(result: Json, { method, server, others }: Listing): Promise<Json> {
  if (others.isOpen) return result
  if (method === 'resources/list') return withoutDemandsOfPages(result)
  const list = listedBy(method)
  if (list === undefined) return result
  const { kind, member } = list
  const items = Array.isArray(result[member]) ? result[member] : []
  return { ...result, [member]: await others.keepApproved(server, kind, items) }
}

function withoutDemandsOfPages(result: Json): Json {
  const resources: readonly unknown[] = Array.isArray(result.resources) ? result.resources : []
  return { ...result, resources: resources.map(item => (isJsonObject(item) ? withoutDemands(item) : item)) }
}

/**
 * Reduces the answer of a server that waits for review to its approved items. For example, remarks and the next page's
 * cursor are removed. Prompts and completions need no change here, because they belong to approved definitions.
 */
function onlyApproved(result: Json, method: string): Json {
  const list = listedBy(method)
  if (list !== undefined) return { [list.member]: result[list.member] ?? [] }
  return method === 'logging/setLevel' ? {} : result
}

/** Explains why a server is unavailable, in as much detail as agents are allowed to see. */
export function unavailable({ server, deps }: Target): RpcError {
  const { name, lastFailure: failure } = server
  const ending = explainNoAnswer(failure === undefined ? { kind: 'timeout' } : { kind: 'failure', failure })
  return noAnswer(
    name,
    ending.code,
    failure === undefined ? ending.text : (quoteFailure(server, deps) ?? REASON_IN_LOG),
  )
}

const REASON_IN_LOG = "the gateway's log has the reason"

const PAGE_WAITS: RpcError = {
  code: RPC.internal,
  message: 'The page asks for domains or permissions that wait for review, so the gateway does not show it.',
  data: { code: 'quarantined' },
}

const WAITS_FOR_REVIEW: RpcError = {
  code: RPC.internal,
  message: "The server is waiting for review, so the gateway does not show the server's answer.",
  data: { code: 'quarantined' },
}

function noAnswer(server: string, code: RefusalCode, text: string): RpcError {
  return {
    code: RPC.internal,
    message: `The server ${JSON.stringify(server)} gave no answer: ${text}`,
    data: { code },
  }
}
