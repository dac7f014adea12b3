/** What is known about one message to one channel. The message itself is not stored: it is written from the approval. */
export interface StoredNotification extends NotificationKey {
  /** `over`: there was nothing to tell any more. */
  readonly state: 'sending' | 'sent' | 'failed' | 'over'
  readonly attempts: number
  readonly at: number
  /** How the channel names the message, so that it can be changed later. */
  readonly reference?: string
  /** Why it was not delivered, without secrets. */
  readonly error?: string
}

export interface NotificationKey {
  readonly approval: string
  /** The name of the channel in the config. */
  readonly channel: string
  /** Each approval is announced once to each channel, and its end too. */
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
   * True for one process only, until the moment `until`; after it another one may take over. Never true again for a
   * message that was sent or has failed.
   */
  claim(key: NotificationKey, now: number, until: number): Promise<boolean>
  /** Keeps a claim for longer, or with a moment in the past gives it up. */
  renew(key: NotificationKey, until: number): Promise<void>
  /** Records how the message ended. Of all failed messages, only the newest `keep` stay. */
  finish(key: NotificationKey, result: NotificationResult, keep: number): Promise<void>
  /** All messages about one approval. */
  list(approval: string): Promise<readonly StoredNotification[]>
  /** Approvals that were announced to one of these channels, but not their end. */
  unclosed(channels: readonly string[]): Promise<readonly string[]>
  /** Newest first. */
  failures(limit: number): Promise<readonly StoredNotification[]>
  /** Returns how many were deleted. */
  removeBefore(moment: number): Promise<number>
}

/** A browser that a person wants to be told in. */
export interface PushSubscriber {
  /** The digest of the address. */
  readonly id: string
  /** The person, as in `person:ada`. */
  readonly person: string
  /** The address and its keys, sealed. */
  readonly sealed: string
  readonly createdAt: number
}

export interface PushSubscriberStore {
  /** Replaces a subscriber with the same id. Of one person, only the newest `keep` stay. */
  save(subscriber: PushSubscriber, keep: number): Promise<void>
  /** All of them, or those of one person. */
  list(person?: string): Promise<readonly PushSubscriber[]>
  /** False if it does not exist. With a person, only if it is theirs. */
  remove(id: string, person?: string): Promise<boolean>
}
