import { InOrder } from '../base/in-order.ts'
import type { Caller, Exchange } from '../exchange/exchange.ts'
import type { Json, Notification, RpcError } from '../protocol/messages.ts'
import type { Attempt, ServerReply } from '../upstream/attempt.ts'
import type { StreamEvent } from '../upstream/channel/channel.ts'
import type { Ask, AskAnswer } from '../upstream/connection/upstream-request.ts'
import { askGuarded, type Guard } from './guard-texts.ts'

/** The reply to a call. `ended` means that the gateway ended the call; the error is then the gateway's own. */
export type CallReply = ServerReply | { readonly kind: 'ended'; readonly error: RpcError }

/**
 * Stores a message that the server sends during a call, before the caller receives it. Undefined if there is nothing to
 * await.
 */
export type Remember = (said: Json) => undefined | Promise<void>

/**
 * Represents the client to the server during a call. If the server asks a question that the client cannot answer, the
 * gateway ends the call. The call has then been sent and has failed; it was not cancelled by the caller.
 */
export class CallClient {
  readonly #exchange: Exchange
  readonly #guard: Guard
  readonly #remember: Remember
  readonly #said = new InOrder()
  #attempt: Attempt | undefined
  #ending: RpcError | undefined

  constructor(
    exchange: Exchange,
    { guard, remember }: { readonly guard: Guard; readonly remember: Remember },
  ) {
    this.#exchange = exchange
    this.#guard = guard
    this.#remember = remember
  }

  get caller(): Caller {
    return this.#exchange.caller
  }

  /** Remembers the current attempt, which is cancelled if the gateway ends the call. */
  track(attempt: Attempt): Attempt {
    this.#attempt = attempt
    return attempt
  }

  notify(notification: Notification): void {
    const { params } = notification
    this.#said.do(params && this.#remember(params), () => this.#exchange.notify(notification))
  }

  onStream(event: StreamEvent): void {
    this.#exchange.onStream?.(event)
  }

  /** Resolves once the caller has received all messages from the server. Undefined if there is nothing to await. */
  get isHeard(): Promise<void> | undefined {
    return this.#said.open
  }

  async ask(ask: Ask): Promise<AskAnswer> {
    const stored = ask.params && this.#remember(ask.params)
    if (stored !== undefined) await stored
    const answer = await askGuarded(this.#exchange, ask, this.#guard)
    if (!('ending' in answer)) return answer
    this.#ending = answer.ending
    this.#attempt?.cancel(answer.error.message)
    return { error: answer.error }
  }

  /** Returns the final reply, which is `ended` if the gateway ended the call. */
  endOf(reply: ServerReply): CallReply {
    if (reply.kind !== 'cancelled' || this.#ending === undefined) return reply
    return { kind: 'ended', error: this.#ending }
  }
}
