import type { HintValues } from '@hintgate/metadata'
import type { Rate, Scope } from '../scope/scope.ts'
import type { ApprovalStore } from './approval-store.ts'
import type { AuditStore } from './audit-store.ts'
import type { NotificationStore, PushSubscriberStore } from './notification-store.ts'
import type { PassageStore } from './passage-store.ts'
import type { SessionStore } from './session-store.ts'
import type { TaskStore } from './task-store.ts'

/**
 * Everything that Hintgate stores, as small interfaces that every backend implements. The contract tests in
 * `contract.ts` run on all of them. Methods are asynchronous, because a backend may be remote. If a promise is
 * rejected, nothing was changed.
 */
export interface Store {
  readonly tokens: TokenStore
  readonly eras: EraStore
  readonly results: ResultStore
  readonly definitions: DefinitionStore
  readonly overrides: OverrideStore
  readonly approvals: ApprovalStore
  readonly sessions: SessionStore
  readonly passages: PassageStore
  readonly audit: AuditStore
  readonly rates: RateStore
  readonly secrets: SecretStore
  readonly notifications: NotificationStore
  readonly pushSubscribers: PushSubscriberStore
  readonly tasks: TaskStore
  /** True if gateways on other machines can write to the same store, in which case earlier reads can be outdated. */
  readonly isShared: boolean
  /**
   * Calls the listener within a second after any process changed something. Returns a function that removes the
   * listener. The listener may also be called when nothing has changed.
   */
  onChange(listener: () => void): () => void
  /**
   * A number that increases with every change: immediately for changes by this process, within a second for others, and
   * constantly while the store cannot be asked. It is cheap enough to read for every request. Stored results, sessions
   * and times of last use do not count as changes, because no reader caches them.
   */
  version(): number
  close(): Promise<void>
}

export interface StoredToken {
  readonly name: string
  readonly kind: 'agent' | 'person'
  /** Keyed hash of the token, in hexadecimal. The token itself is never stored. */
  readonly hash: string
  /** The token's first characters, by which a person can recognise it in a list. */
  readonly hint: string
  readonly scope: Scope
  readonly createdAt: number
  readonly expiresAt?: number
  readonly revokedAt?: number
  readonly lastUsedAt?: number
}

export interface TokenStore {
  /** Fails with `name_taken` if an active token has this name. Replaces a revoked token with this name. */
  insert(token: StoredToken): Promise<void>
  findByHash(hash: string): Promise<StoredToken | undefined>
  findByName(name: string): Promise<StoredToken | undefined>
  /** Lists all tokens by name, including revoked ones. */
  list(): Promise<readonly StoredToken[]>
  /** False if the token does not exist or is already revoked. */
  revoke(name: string, at: number): Promise<boolean>
  /**
   * Revokes a token by its hash, because its name may belong to another token by now. If several processes try at once,
   * only one gets true.
   */
  revokeHash(hash: string, at: number): Promise<boolean>
  /** Replaces the token's secret and keeps its scope. False if the token does not exist or is revoked. */
  rotate(name: string, secret: { readonly hash: string; readonly hint: string }): Promise<boolean>
  /** Records when a token was last used. This is best effort, and several uses may be recorded as one. */
  touch(name: string, at: number): Promise<void>
  /** Records when a token that is defined in the config was last used. Such a token itself is not in the store. */
  noteUse(name: string, at: number): Promise<void>
  /** The last use of each token that is defined in the config, by name. */
  listUses(): Promise<ReadonlyMap<string, number>>
}

/** Counts rate-limited events. If the store is shared, the counts cover all its processes. */
export interface RateStore {
  /**
   * Counts one event. Returns undefined if the event is within the limit, otherwise the milliseconds until another one
   * is allowed.
   */
  take(key: string, rate: Rate): Promise<number | undefined>
}

/**
 * Secrets that the gateway must be able to read again, so they cannot be hashed. They are sealed before they are
 * stored.
 */
export interface SecretStore {
  find(name: string): Promise<string | undefined>
  /** Saves a secret, replacing an existing one. Notifies all listeners. */
  save(name: string, sealed: string): Promise<void>
  /** Removes a secret. False if it does not exist. */
  remove(name: string): Promise<boolean>
}

/** The protocol era that each server used last, so the next start can skip the probe. */
export interface EraStore {
  find(server: string, definition: string): Promise<Era | undefined>
  remember(server: string, definition: string, era: Era): Promise<void>
}

export type Era = 'legacy' | 'modern'

/** A result that was too long for one answer. It is divided into runs, so parts of it can be read separately. */
export interface KeptResult {
  readonly handle: string
  /** The only principal that can read the result. */
  readonly owner: string
  /** The id of the tool that gave the result, as `server:tool`. */
  readonly tool: string
  readonly createdAt: number
  readonly expiresAt: number
  /** A description of the runs, as JSON. */
  readonly body: string
}

/** Maximum bytes of stored results, per owner and in total. It keeps one agent from filling the disk. */
export interface ResultQuota {
  readonly ownerBytes: number
  readonly totalBytes: number
}

export interface ResultStore {
  /**
   * Stores a result. If the quota requires it, the owner's oldest results are deleted, but never those of others. If
   * even that would not free enough, nothing is deleted and the method returns false. Also deletes results that had
   * expired at `createdAt`.
   */
  insert(result: KeptResult, quota: ResultQuota, runs?: readonly string[]): Promise<boolean>
  /** Finds a result. Undefined if it does not exist, has expired, or belongs to someone else. */
  find(handle: string, owner: string, now: number): Promise<KeptResult | undefined>
  /**
   * Reads up to `count` runs, starting at run `first`. Empty if the result was deleted. The caller must first check the
   * owner with `find`.
   */
  readRuns(handle: string, first: number, count: number): Promise<readonly string[]>
  /** Deletes expired results, and returns how many there were. */
  removeExpired(now: number): Promise<number>
}

/**
 * The kinds of definitions that Hintgate fingerprints: a server's tools, prompts, resource templates and instructions.
 */
export type DefinitionKind = 'tool' | 'prompt' | 'template' | 'instructions'

interface DefinitionKey {
  readonly server: string
  readonly kind: DefinitionKind
  readonly name: string
}

export interface SeenDefinition {
  readonly kind: DefinitionKind
  readonly name: string
  readonly fingerprint: string
  /** The definition as JSON. */
  readonly definition: string
  /** A rule's decision. It never replaces an existing review. */
  readonly review?: Review
}

export interface Review {
  readonly verdict: 'approved' | 'rejected'
  /** The person or the rule that decided. */
  readonly by: string
  readonly at: number
  readonly note?: string | undefined
}

export interface DefinitionVersion {
  readonly fingerprint: string
  readonly definition: string
  readonly firstSeenAt: number
  readonly lastSeenAt: number
  /** The latest review of this version. */
  readonly review?: Review
}

export interface StoredDefinition extends DefinitionKey {
  /**
   * The fingerprint of the version that the server sent last; undefined if the server no longer sends this definition.
   */
  readonly current?: string
  /** True if an operator disabled the definition. That applies to all versions. */
  readonly isDisabled: boolean
  /** All known versions, oldest first. */
  readonly versions: readonly DefinitionVersion[]
}

export interface DefinitionReview extends DefinitionKey {
  readonly fingerprint: string
  readonly review: Review
}

export interface DefinitionStore {
  /** Loads all definitions of a server, or only the given one, ordered by kind and name. */
  load(server: string, only?: Pick<DefinitionKey, 'kind' | 'name'>): Promise<readonly StoredDefinition[]>
  /** Loads all definitions of a server, but only their reviewed versions. The unreviewed ones can be many and long. */
  loadReviewed(server: string): Promise<readonly StoredDefinition[]>
  /** Names of the servers that have stored definitions. */
  servers(): Promise<readonly string[]>
  /**
   * Stores the definitions of the given kinds that a server currently sends. A stored definition that is not among them
   * loses its `current`. Each version is stored once. Reviewed versions are kept permanently; of the others, the newest
   * hundred are kept, up to 64 MiB per server in addition to the current ones.
   */
  see(
    server: string,
    seen: { readonly kinds: readonly DefinitionKind[]; readonly definitions: readonly SeenDefinition[] },
    at: number,
  ): Promise<void>
  /**
   * Stores a review. If the reviewed version is not the current one, nothing changes and the method returns false, so
   * no version is approved unseen.
   */
  review(key: DefinitionKey, fingerprint: string, review: Review): Promise<boolean>
  /** Stores many reviews, and returns those whose version is not the current one. */
  reviewAll(reviews: readonly DefinitionReview[]): Promise<readonly DefinitionReview[]>
  /** Disables or enables a definition; false if it does not exist. */
  disable(key: DefinitionKey, isDisabled: boolean): Promise<boolean>
}

/** Hints that an operator set for one tool, or for all tools of a server if the name is `*`. */
export interface StoredOverride {
  readonly server: string
  readonly tool: string
  readonly hints: HintValues
  readonly by: string
  readonly at: number
}

export interface OverrideChange {
  /** All hints that are overridden after this change; undefined if the change removed the override. */
  readonly hints?: HintValues
  readonly by: string
  readonly at: number
}

export interface OverrideStore {
  /** Lists all overrides by server and tool. */
  list(): Promise<readonly StoredOverride[]>
  set(override: StoredOverride): Promise<void>
  /** Removes an override. False if it does not exist. */
  remove(server: string, tool: string, change: Pick<OverrideChange, 'by' | 'at'>): Promise<boolean>
  /** Returns all changes to an override, oldest first. They are kept permanently. */
  history(server: string, tool: string): Promise<readonly OverrideChange[]>
}
