import type { NotifyFilter, RetryRules } from '../../config/build-notify.ts'
import type { Ending, Message } from './message.ts'

/** A destination for messages, such as a webhook, a chat or one mailbox. */
export interface Channel {
  /** Identifies the channel: its name in the config, followed by the address if it is a mailbox. */
  readonly key: string
  readonly filter: NotifyFilter
  readonly afterMs: number
  readonly retry: RetryRules
  /**
   * Sends a message about a new approval. Returns the receiver's own id for the message, if there is one. Throws a
   * `DeliveryError`.
   */
  announce(message: Message, delivery: Delivery): Promise<string | undefined>
  /** Reports how the approval ended. Absent if the channel cannot do that. */
  close?(message: Message, ending: Ending, delivery: Delivery): Promise<void>
}

export interface Delivery {
  /** The same for every attempt, so that the receiver can recognise a repeated message. */
  readonly id: string
  /** The id that `announce` returned. */
  readonly reference?: string | undefined
  readonly signal: AbortSignal
}

/**
 * Thrown if a message was not accepted. The reason is stored and shown, so it must not contain an address or a secret.
 */
export class DeliveryError extends Error {
  /** True if another attempt would fail as well. */
  readonly isFinal: boolean
  /** The time that the receiver asked to wait before the next attempt; undefined if it did not ask. */
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
