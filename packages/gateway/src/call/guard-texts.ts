import { isPlainInfo, otherParamsForServer } from '../approvals/other-params.ts'
import type { Caller, Exchange, QuestionResult } from '../exchange/exchange.ts'
import type { Facts, Reason } from '../policy/facts/facts.ts'
import type { Json, Notification } from '../protocol/messages.ts'
import { ANSWER_HELD_BACK, type Ask, type AskAnswer } from '../upstream/connection/upstream-request.ts'
import type { UpstreamServer } from '../upstream/upstream-server.ts'
import type { CallDeps } from './call-deps.ts'

export interface Guard {
  readonly facts: Facts
  readonly rules: CallDeps['rules']
}

/**
 * Asks the caller a server's question, and applies the guardrails to the answer before the server gets it, because an
 * answer can leak data just as arguments can. Only guardrails that read texts apply.
 */
export async function askGuarded(
  exchange: Exchange,
  ask: Ask,
  { facts, rules }: Guard,
): Promise<QuestionResult> {
  const answer = await exchange.ask(ask)
  // The rules are read now, because they might have changed while the caller was answering.
  const { guardrails } = rules()
  if (guardrails.size === 0) return answer
  const hits = guardrails.checkTexts(withAnswer(facts, answer))
  if (hits.length === 0) return answer
  exchange.notify(explain(hits.map(({ reason }) => reason)))
  return ANSWER_HELD_BACK
}

/**
 * Returns the caller's reason for a cancellation, or undefined if a guardrail objects to it. The reason goes to the
 * server and can leak data just as arguments can.
 */
export function guardReason(reason: string, { facts, rules }: Guard): string | undefined {
  const { guardrails } = rules()
  if (guardrails.size === 0) return reason
  const hits = guardrails.checkTexts(withSaid(facts, { reason }))
  return hits.length === 0 ? reason : undefined
}

function explain(reasons: readonly Reason[]): Notification {
  const why = reasons.map(({ text }) => text).join('; ')
  const data = `The gateway did not pass on an answer to the server's question: ${why}.`
  return {
    jsonrpc: '2.0',
    method: 'notifications/message',
    params: { level: 'warning', logger: 'hintgate', data },
  }
}

function withAnswer(facts: Facts, answer: AskAnswer): Facts {
  return withSaid(facts, 'error' in answer ? { error: answer.error } : answer.result)
}

function withSaid({ agent, server, tool, intent, session }: Facts, args: Json): Facts {
  return { agent, server, tool, args, others: undefined, intent, session, now: Date.now() }
}

/**
 * Returns the parameters that guardrails check in addition to the arguments. They include the client info, which a
 * modern server receives with every call.
 */
export function otherParamsFor(
  { params, caller }: { readonly params: Json; readonly caller: Caller },
  { handshake, config }: UpstreamServer,
): Json | undefined {
  const others = otherParamsForServer(params)
  const { clientInfo } = caller.envelope
  const isModern = handshake?.era === 'modern' || config.isolation === 'session'
  const isTold = caller.era === 'legacy' && isModern && clientInfo !== undefined
  return isTold && !isPlainInfo(clientInfo) ? { ...others, clientInfo } : others
}

/**
 * Returns the client info that the server will receive. A legacy connection that callers share sends none. A server
 * with a connection per session can be of either era, so it counts as receiving the info.
 */
export function clientInfoFor({ envelope }: Caller, { handshake, config }: UpstreamServer): unknown {
  const isOlder = handshake?.era === 'legacy' && config.isolation !== 'session'
  return isOlder ? undefined : envelope.clientInfo
}
