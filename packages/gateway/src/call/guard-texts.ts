import { carriedParams, isPlainInfo } from '../approvals/other-params.ts'
import type { Asked, Caller, Exchange } from '../exchange/exchange.ts'
import type { Facts, Reason } from '../policy/facts/facts.ts'
import type { Json, Notification } from '../protocol/messages.ts'
import { ANSWER_HELD_BACK, type Ask, type AskAnswer } from '../upstream/connection/upstream-request.ts'
import type { UpstreamServer } from '../upstream/upstream-server.ts'
import type { CallDeps } from './call-deps.ts'

interface Guard {
  readonly facts: Facts
  readonly rules: CallDeps['rules']
}

/**
 * Asks the caller, with guardrails between its answer and the server that asked: an answer in the middle of a call is as
 * much a way out as the arguments are. Only rules that read texts apply to it.
 */
export async function askGuarded(exchange: Exchange, ask: Ask, { facts, rules }: Guard): Promise<Asked> {
  const answer = await exchange.ask(ask)
  // The rules as they are by now: an answer may take long.
  const { guardrails } = rules()
  if (guardrails.size === 0) return answer
  const hits = guardrails.checkTexts(withAnswer(facts, answer))
  if (hits.length === 0) return answer
  exchange.notify(explain(hits.map(({ reason }) => reason)))
  return ANSWER_HELD_BACK
}

function explain(reasons: readonly Reason[]): Notification {
  const why = reasons.map(({ text }) => text).join('; ')
  const data = `An answer to a question of the server was not passed on: ${why}.`
  return {
    jsonrpc: '2.0',
    method: 'notifications/message',
    params: { level: 'warning', logger: 'hintgate', data },
  }
}

function withAnswer({ agent, server, tool, intent, session }: Facts, answer: AskAnswer): Facts {
  const args: Json = 'error' in answer ? { error: answer.error } : answer.result
  return { agent, server, tool, args, others: undefined, intent, session, now: Date.now() }
}

/** A modern server is told with every call what a legacy client said of itself once. */
export function carriedBy(
  { params, caller }: { readonly params: Json; readonly caller: Caller },
  { handshake, config }: UpstreamServer,
): Json | undefined {
  const carried = carriedParams(params)
  const { clientInfo } = caller.envelope
  const isModern = handshake?.era === 'modern' || config.isolation === 'session'
  const isTold = caller.era === 'legacy' && isModern && clientInfo !== undefined
  return isTold && !isPlainInfo(clientInfo) ? { ...carried, clientInfo } : carried
}

/** An older server is not told of clients. Of processes of their own, each may speak as it likes. */
export function toldClient({ envelope }: Caller, { handshake, config }: UpstreamServer): unknown {
  const isOlder = handshake?.era === 'legacy' && config.isolation !== 'session'
  return isOlder ? undefined : envelope.clientInfo
}
