/** The state of one message to one channel. The text is not stored, because it is generated from the approval. */
export interface StoredNotification extends NotificationKey {
  /** `over` means that the message was no longer needed when it could have been sent. */
  readonly state: 'sending' | 'sent' | 'failed' | 'over'
  readonly attempts: number
  readonly at: number
  /** The channel's own id for the message, which is needed to change the message later. */
  readonly reference?: string
  /** The reason why the message was not delivered, without secrets. */
  readonly error?: string
}

export interface NotificationKey {
  readonly approval: string
  /** The channel's name in the config. */
  readonly channel: string
  /** `asked` announces the approval, and `closed` announces how it ended. Each is sent once to each channel. */
  readonly kind: NotificationKind
}

export type NotificationKind = 'asked' | 'closed'

interface NotificationResult {
  readonly state: 'sent' | 'failed' | 'over'
  readonly attempts: number
  readonly at: number
  readonly reference?: string | undefined
  readonly error?: string | undefined
}

export interface NotificationStore {
  /**
   * Claims a message until the time `until`: only one process gets true. After that time, another process can claim it.
   * Always false for a message that was already sent or has failed.
   */
  claim(key: NotificationKey, now: number, until: number): Promise<boolean>
  /** Extends a claim. A time in the past gives the claim up. */
  renew(key: NotificationKey, until: number): Promise<void>
  /** Records what became of the message. Only the newest `keep` failed messages are kept. */
  finish(key: NotificationKey, result: NotificationResult, keep: number): Promise<void>
  /** All messages about one approval. */
  list(approval: string): Promise<readonly StoredNotification[]>
  /** Ids of approvals that were announced to one of these channels, but whose end was not. */
  unclosed(channels: readonly string[]): Promise<readonly string[]>
  /** Returns messages that failed, newest first. */
  failures(limit: number): Promise<readonly StoredNotification[]>
  /** Returns how many messages were deleted. */
  removeBefore(moment: number): Promise<number>
}

/** A browser in which a person wants to receive notifications. */
export interface PushSubscriber {
  /** A digest of the browser's push address. */
  readonly id: string
  /** The person's principal, for example `person:ada`. */
  readonly person: string
  /** The push address and its keys, sealed. */
  readonly sealed: string
  readonly createdAt: number
}

export interface PushSubscriberStore {
  /** Replaces a subscriber with the same id. Only a person's newest `keep` subscribers are kept. */
  save(subscriber: PushSubscriber, keep: number): Promise<void>
  /** Lists all subscribers, or only those of one person. */
  list(person?: string): Promise<readonly PushSubscriber[]>
  /** Removes a subscriber. False if it does not exist, or if it belongs to someone other than `person`. */
  remove(id: string, person?: string): Promise<boolean>
}
