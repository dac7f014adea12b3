import type { CallDeps } from '../call/call-deps.ts'
import type { Exchange } from '../call/exchange.ts'
import { explainNoAnswer } from '../call/explain-no-answer.ts'
import { forward } from '../call/forward.ts'
import { OTHERS, type OtherDefinitions } from '../catalog/other-definitions.ts'
import { type Json, RPC, type RpcError } from '../protocol/messages.ts'
import { checkResult } from '../results/check-result.ts'
import type { ServerReply } from '../upstream/attempt.ts'
import type { UpstreamServer } from '../upstream/upstream-server.ts'
import { inEraOf } from './answer-call.ts'
import { limitPassage } from './limit-passage.ts'
import { isRead, mayPass } from './may-pass.ts'
import { notePassage } from './note-passage.ts'
import { recordPassage } from './record-passage.ts'
import { refuseHeld } from './refuse-held.ts'
import { heldBack, screenError } from './screen-said.ts'
import type { Answer } from './surface.ts'

export const METHOD_NOT_FOUND: RpcError = { code: RPC.methodNotFound, message: 'Method not found' }

export interface PassDeps extends CallDeps {
  readonly others: OtherDefinitions
}

interface Target {
  readonly server: UpstreamServer
  readonly deps: PassDeps
}

const OTHER_KINDS = ['prompt', 'template'] as const

/** What is no tool call, on its way to one server: allowed, counted, written down, and its answer looked through. */
export async function passOn(exchange: Exchange, target: Target): Promise<Answer> {
  const { server, deps } = target
  if (!isOpenTo(exchange, target)) return { error: METHOD_NOT_FOUND }
  return recordPassage(exchange, { server: server.name, recorder: deps.recorder }, async () => {
    const refusal =
      (await limitPassage(exchange, server.name, deps)) ??
      (await refuseHeld(exchange, { server, others: deps.others })) ??
      (await notePassage(exchange, server.name, deps))
    return refusal === undefined ? send(exchange, target) : { error: refusal }
  })
}

/** What is reviewed one by one is held one by one; resources are not. */
const RESOURCES = new Set(['resources/list', 'resources/read'])

/**
 * A method that the protocol does not have is one only where the operator says so. It and the resources of a server are
 * there when something of the server is approved.
 */
function isOpenTo({ method, caller }: Exchange, { server, deps }: Target): boolean {
  if (!mayPass(caller.principal.scope, method)) return false
  if (isRead(method) && !RESOURCES.has(method)) return true
  const isWhollyHeld =
    deps.catalog.tools(server.name).length === 0 && deps.catalog.held(server.name).length > 0
  if (isWhollyHeld) return false
  if (isRead(method)) return true
  // The result of a task would come by a way that nobody looks at.
  return server.config.passMethods.includes(method) && !method.startsWith('tasks/')
}

async function send(exchange: Exchange, { server, deps }: Target): Promise<Answer> {
  const { caller, method, params } = exchange
  const reply = await forward(exchange, { server, method, params })
  if (reply.kind === 'cancelled') return { cancelled: true }
  const rules = deps.rules().results(server.name)
  // Why there is none may quote the server.
  if (reply.kind !== 'answer') return { error: screenError(noAnswer(server.name, reply), rules) }
  if (reply.message.error !== undefined) return { error: screenError(reply.message.error, rules) }
  const result = await keepApproved(reply.message.result ?? {}, { method, server, others: deps.others })
  const checked = checkResult(result, { rules, isOpenWorld: true, misfit: undefined })
  if (checked.kind === 'blocked') return { error: heldBack(checked.reasons) }
  return inEraOf(caller, method, checked.kind === 'clean' ? result : checked.result, server.handshake)
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

function noAnswer(server: string, reply: Exclude<ServerReply, { kind: 'answer' | 'cancelled' }>): RpcError {
  const { code, text } = explainNoAnswer(reply)
  return {
    code: RPC.internal,
    message: `The server ${JSON.stringify(server)} gave no answer: ${text}`,
    data: { code },
  }
}
