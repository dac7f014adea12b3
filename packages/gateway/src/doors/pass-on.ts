import type { CallDeps } from '../call/call-deps.ts'
import type { Exchange } from '../call/exchange.ts'
import { explainNoAnswer } from '../call/explain-no-answer.ts'
import { forward } from '../call/forward.ts'
import { guardAnswers } from '../call/guard-answers.ts'
import type { RefusalCode } from '../call/outcome.ts'
import { OTHERS, type OtherDefinitions } from '../catalog/other-definitions.ts'
import { type Json, RPC, type RpcError } from '../protocol/messages.ts'
import { checkErrorBeside } from '../results/check-error.ts'
import { type Beside, checkResultBeside } from '../results/check-result.ts'
import type { ServerReply } from '../upstream/attempt.ts'
import type { UpstreamServer } from '../upstream/upstream-server.ts'
import type { ResultRules } from '../verdict/rules.ts'
import { inEraOf } from './answer-call.ts'
import { factsOf, guardPassage } from './guard-passage.ts'
import { introduce } from './introduce.ts'
import { limitPassage } from './limit-passage.ts'
import { isRead, mayPass } from './may-pass.ts'
import { notePassage } from './note-passage.ts'
import type { OwnError } from './own-error.ts'
import { type Passed, recordPassage, type Tally } from './record-passage.ts'
import { refuseHeld } from './refuse-held.ts'
import { heldBack, screenError } from './screen-said.ts'
import type { Answer, Wanted } from './surface.ts'

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
  wanted: Wanted,
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
function isOpenTo({ method, caller }: Wanted, { server, deps }: Target): boolean {
  if (!mayPass(caller.principal.scope, method)) return false
  if (isRead(method) && !RESOURCES.has(method)) return true
  if (deps.catalog.isWhollyHeld(server)) return false
  if (isRead(method)) return true
  // The result of a task would come by a way that nobody looks at.
  return server.config.passMethods.includes(method) && !method.startsWith('tasks/')
}

async function send(exchange: Exchange, { server, deps }: Target, tally: Tally): Promise<Passed> {
  const { caller, method, params } = exchange
  const guarded = guardAnswers(exchange, () => factsOf(exchange, server), deps)
  const reply = await forward(guarded, { server, method, params, tally })
  if (reply.kind === 'cancelled') return { answer: { cancelled: true } }
  const rules = deps.rules().results(server.name)
  if (reply.kind !== 'answer') {
    const error = noAnswer(server.name, reply)
    // Why there is none may quote the server.
    return failed(screenError(error, rules), error.data.code)
  }
  const beside = { searcher: deps.searcher, owner: caller.principal.id }
  if (reply.message.error !== undefined) return sayError(reply.message.error, rules, beside)
  const result = await keepApproved(reply.message.result ?? {}, { method, server, others: deps.others })
  const checked = await checkResultBeside(result, { rules, isOpenWorld: true, misfit: undefined }, beside)
  if (checked.kind === 'blocked') return failed(heldBack(checked.reasons), 'guardrail_blocked')
  const shown = checked.kind === 'clean' ? result : checked.result
  return { answer: inEraOf(caller, method, shown, introduce(server, deps)) }
}

async function sayError(error: RpcError, rules: ResultRules, beside: Beside): Promise<Passed> {
  const checked = await checkErrorBeside(error, { rules, isOpenWorld: true }, beside)
  return checked.kind === 'blocked'
    ? failed(heldBack(checked.reasons), 'guardrail_blocked')
    : { answer: { error: checked.error } }
}

interface Listing {
  readonly method: string
  readonly server: UpstreamServer
  readonly others: OtherDefinitions
}

/** Of what a server lists, only what an operator approved just as it is. */
async function keepApproved(result: Json, { method, server, others }: Listing): Promise<Json> {
  const kind = OTHER_KINDS.find(other => OTHERS[other].method === method)
  if (kind === undefined || others.isOpen) return result
  const { member } = OTHERS[kind]
  const items = Array.isArray(result[member]) ? result[member] : []
  return { ...result, [member]: await others.keepApproved(server, kind, items) }
}

export function unavailable({ name, lastFailure }: UpstreamServer): RpcError {
  return noAnswer(
    name,
    lastFailure === undefined ? { kind: 'timeout' } : { kind: 'failure', failure: lastFailure },
  )
}

function noAnswer(server: string, reply: Exclude<ServerReply, { kind: 'answer' | 'cancelled' }>) {
  const { code, text } = explainNoAnswer(reply)
  return {
    code: RPC.internal,
    message: `The server ${JSON.stringify(server)} gave no answer: ${text}`,
    data: { code },
  }
}
