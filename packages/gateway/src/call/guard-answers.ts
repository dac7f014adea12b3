import type { Exchange } from '../exchange/exchange.ts'
import { wrapExchange } from '../exchange/wrap-exchange.ts'
import type { Facts, Reason } from '../policy/facts/facts.ts'
import type { Json, Notification } from '../protocol/messages.ts'
import { ANSWER_HELD_BACK, type AskAnswer } from '../upstream/connection/upstream-request.ts'
import type { CallDeps } from './call-deps.ts'

/**
 * The exchange, with guardrails between the caller's answers and the server that asked: what a server is told in the middle
 * of a call is as much a way out as the arguments are. Only rules that read texts have anything to say to it.
 */
export function guardAnswers(
  exchange: Exchange,
  facts: () => Facts,
  { rules }: Pick<CallDeps, 'rules'>,
): Exchange {
  return wrapExchange(exchange, {
    async ask(ask) {
      const answer = await exchange.ask(ask)
      // Those that there are by now: an answer may take long.
      const { guardrails } = rules()
      if (guardrails.size === 0) return answer
      const hits = guardrails.checkTexts(withAnswer(facts(), answer))
      if (hits.length === 0) return answer
      exchange.notify(explain(hits.map(({ reason }) => reason)))
      return ANSWER_HELD_BACK
    },
  })
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
