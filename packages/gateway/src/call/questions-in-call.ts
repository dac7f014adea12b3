import type { Caller, Exchange } from '../exchange/exchange.ts'
import type { Notification, RpcError } from '../protocol/messages.ts'
import type { Attempt, ServerReply } from '../upstream/attempt.ts'
import type { StreamEvent } from '../upstream/channel/channel.ts'
import type { Ask, AskAnswer } from '../upstream/connection/upstream-request.ts'

/** `ended`: the gateway ended the call, and the error is its own. */
export type CallReply = ServerReply | { readonly kind: 'ended'; readonly error: RpcError }

/**
 * Who is behind a call, for the server that it is sent to. Where the server asks what its caller cannot be asked, we end the
 * call: it was sent and failed, which is another thing than a caller that called it off.
 */
export class AskedInCall {
  readonly #exchange: Exchange
  readonly #ask: Exchange['ask'] | undefined
  #attempt: Attempt | undefined
  #ending: RpcError | undefined

  constructor(exchange: Exchange, ask: Exchange['ask'] | undefined) {
    this.#exchange = exchange
    this.#ask = ask
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
    const answer = await (this.#ask === undefined ? this.#exchange.ask(ask) : this.#ask(ask))
    if (!('ending' in answer)) return answer
    this.#ending = answer.ending
    this.#attempt?.cancel(answer.error.message)
    return { error: answer.error }
  }

  /** What became of the call: whether we ended it, only we know. */
  endOf(reply: ServerReply): CallReply {
    if (reply.kind !== 'cancelled' || this.#ending === undefined) return reply
    return { kind: 'ended', error: this.#ending }
  }
}
