import type { NotifyFilter, RetryRules } from '../../config/build-notify.ts'
import type { Ending, Message } from './message.ts'

/** One destination of messages: a webhook, a chat, one mailbox. */
export interface Channel {
  /** Unique: the name in the config, and for mail the address too. */
  readonly key: string
  readonly filter: NotifyFilter
  readonly afterMs: number
  readonly retry: RetryRules
  /** Returns how the channel names the message. Throws a `DeliveryError`. */
  announce(message: Message, delivery: Delivery): Promise<string | undefined>
  /** Tells how the question ended, if the channel can. */
  close?(message: Message, ending: Ending, delivery: Delivery): Promise<void>
}

export interface Delivery {
  /** The same for every attempt, so that a receiver can tell a repetition. */
  readonly id: string
  /** From the announcement. */
  readonly reference?: string | undefined
  readonly signal: AbortSignal
}

/** A message was not accepted. The reason is stored and shown, so it never has an address or a secret. */
export class DeliveryError extends Error {
  /** A repetition would fail as well. */
  readonly isFinal: boolean
  /** How long the receiver asked to wait before the next attempt; undefined if it did not say. */
  readonly retryAfterMs: number | undefined

  constructor(
    reason: string,
    options: { readonly isFinal?: boolean; readonly retryAfterMs?: number | undefined } = {},
  ) {
    super(reason)
    this.isFinal = options.isFinal ?? false
    this.retryAfterMs = options.retryAfterMs
  }
}
