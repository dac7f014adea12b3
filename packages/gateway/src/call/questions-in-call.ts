import { type Caller, type Exchange, wrapExchange } from '../exchange/exchange.ts'
import type { Facts, Reason } from '../policy/facts/facts.ts'
import type { Json, Notification, RpcError } from '../protocol/messages.ts'
import type { Attempt, ServerReply } from '../upstream/attempt.ts'
import type { StreamEvent } from '../upstream/channel/channel.ts'
import { ANSWER_HELD_BACK, type Ask, type AskAnswer } from '../upstream/connection/upstream-request.ts'
import type { CallDeps } from './call-deps.ts'

/**
 * Who is behind a call, for the server that it is sent to. Where the server asks what its caller cannot be asked, we end the
 * call: it was sent and failed, which is another thing than a caller that called it off.
 */
export class AskedInCall {
  readonly #exchange: Exchange
  #attempt: Attempt | undefined
  #ending: RpcError | undefined

  constructor(exchange: Exchange) {
    this.#exchange = exchange
  }

  get caller(): Caller {
    return this.#exchange.caller
  }

  /** The attempt that is under way now. */
  attend(attempt: Attempt): Attempt {
    this.#attempt = attempt
    return attempt
  }

  notify(notification: Notification): void {
    this.#exchange.notify(notification)
  }

  onStream(event: StreamEvent): void {
    this.#exchange.onStream?.(event)
  }

  async ask(ask: Ask): Promise<AskAnswer> {
    const answer = await this.#exchange.ask(ask)
    if (!('ending' in answer)) return answer
    this.#ending = answer.ending
    this.#attempt?.cancel(answer.error.message)
    return { error: answer.error }
  }

  /** What became of the call: whether we ended it, only we know. */
  endOf(reply: ServerReply): ServerReply {
    if (reply.kind !== 'cancelled' || this.#ending === undefined) return reply
    return { kind: 'answer', message: { jsonrpc: '2.0', id: 0, error: this.#ending } }
  }
}

/**
 * The exchange, with guardrails between the caller's answers and the server that asked: what a server is told in the middle
 * of a call can carry data outside just as the arguments can. Only rules that read texts have anything to say to it.
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
