import type { HintValues } from '@hintgate/metadata'
import type { Rate, Scope } from '../scope/scope.ts'
import type { ApprovalStore } from './approval-store.ts'
import type { AuditStore } from './audit-store.ts'
import type { NotificationStore, PushSubscriberStore } from './notification-store.ts'
import type { PassageStore } from './passage-store.ts'
import type { SessionStore } from './session-store.ts'

/**
 * Everything that Hintgate stores: small interfaces, with one suite of contract tests (`contract.ts`) for every
 * backend. Methods are asynchronous, because a backend may be remote. A rejected promise means that nothing was
 * changed.
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
  /** True if gateways on other machines may write to it as well, so that earlier reads can be outdated. */
  readonly isShared: boolean
  /**
   * Calls the listener within a second after any process made a change. Returns a function that removes the listener.
   * A listener may also be called without a change.
   */
  onChange(listener: () => void): () => void
  /**
   * A number that increases with every change: immediately for changes of this process, within a second for others, and
   * continuously while the store cannot tell. Reading it is cheap enough for each request. Stored results, sessions and
   * times of last use do not count as changes, because no reader caches them.
   */
  version(): number
  close(): Promise<void>
}

export interface StoredToken {
  readonly name: string
  readonly kind: 'agent' | 'person'
  /** Keyed hash of the token, in hexadecimal. The token itself is never stored. */
  readonly hash: string
  /** The first characters, so that a person can recognise a token in a list. */
  readonly hint: string
  readonly scope: Scope
  readonly createdAt: number
  readonly expiresAt?: number
  readonly revokedAt?: number
  readonly lastUsedAt?: number
}

export interface TokenStore {
  /** Fails with `name_taken` if an active token has this name; replaces a revoked one. */
  insert(token: StoredToken): Promise<void>
  findByHash(hash: string): Promise<StoredToken | undefined>
  findByName(name: string): Promise<StoredToken | undefined>
  /** Lists all tokens by name, including revoked ones. */
  list(): Promise<readonly StoredToken[]>
  /** False if the token does not exist or is already revoked. */
  revoke(name: string, at: number): Promise<boolean>
  /**
   * Revokes a token by its hash, because its name may belong to another token by now. Only one of several concurrent
   * calls returns true.
   */
  revokeHash(hash: string, at: number): Promise<boolean>
  /** Replaces the secret and keeps the scope. False if the token does not exist or is revoked. */
  rotate(name: string, secret: { readonly hash: string; readonly hint: string }): Promise<boolean>
  /** Notes the time of a token's last use, as far as possible; several uses may be noted as one. */
  touch(name: string, at: number): Promise<void>
  /** Notes the last use of a token that is set in the config, which is not stored itself. */
  noteUse(name: string, at: number): Promise<void>
  /** The times at which the config's tokens were last used, by name. */
  listUses(): Promise<ReadonlyMap<string, number>>
}

/** Counts rate-limited events, for all processes if the store is shared. */
export interface RateStore {
  /**
   * Counts one event. Returns undefined if it is within the limit, otherwise the time in milliseconds until another one
   * is allowed.
   */
  take(key: string, rate: Rate): Promise<number | undefined>
}

/** Secrets that must be readable again and so cannot be hashed. They are sealed before they are stored. */
export interface SecretStore {
  find(name: string): Promise<string | undefined>
  /** Replaces an existing secret. Notifies all listeners. */
  save(name: string, sealed: string): Promise<void>
  /** False if there was nothing to remove. */
  remove(name: string): Promise<boolean>
}

/** The protocol era that a server used last, so that the next start can skip the probe. */
export interface EraStore {
  find(server: string, definition: string): Promise<Era | undefined>
  remember(server: string, definition: string, era: Era): Promise<void>
}

export type Era = 'legacy' | 'modern'

/** A result that was too long for one answer. It is stored in runs, so that parts can be read separately. */
export interface KeptResult {
  readonly handle: string
  /** The only principal that can read it. */
  readonly owner: string
  /** The tool's id, `server:tool`. */
  readonly tool: string
  readonly createdAt: number
  readonly expiresAt: number
  /** Describes the runs, as JSON. */
  readonly body: string
}

/** The most bytes of bodies and runs to store, by owner and in total, so that one agent cannot fill the disk. */
export interface ResultQuota {
  readonly ownerBytes: number
  readonly totalBytes: number
}

export interface ResultStore {
  /**
   * Stores a result. If the quota requires it, deletes the oldest results of the same owner, never those of others and
   * never the new one. Returns false and deletes nothing if that would not free enough. Also deletes results that
   * expired by `createdAt`.
   */
  insert(result: KeptResult, quota: ResultQuota, runs?: readonly string[]): Promise<boolean>
  /** Finds a result; undefined if it does not exist, has expired or belongs to another owner. */
  find(handle: string, owner: string, now: number): Promise<KeptResult | undefined>
  /** Reads up to `count` runs from `first` on; none if the result was deleted. The owner must be checked with `find` first. */
  readRuns(handle: string, first: number, count: number): Promise<readonly string[]>
  /** Deletes expired results, and returns how many there were. */
  removeExpired(now: number): Promise<number>
}

/** The kinds of definitions that Hintgate pins: a server's tools, prompts, resource templates and instructions. */
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
  /** A rule's decision, which never replaces an existing review. */
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
  /** The fingerprint of the version that the server sent last; undefined if it no longer sends this definition. */
  readonly current?: string
  /** Disabled by an operator, in every version. */
  readonly isDisabled: boolean
  /** The versions, oldest first. */
  readonly versions: readonly DefinitionVersion[]
}

export interface DefinitionReview extends DefinitionKey {
  readonly fingerprint: string
  readonly review: Review
}

export interface DefinitionStore {
  /** All definitions of a server, or one of them. Ordered by kind and name. */
  load(server: string, only?: Pick<DefinitionKey, 'kind' | 'name'>): Promise<readonly StoredDefinition[]>
  /** Loads all definitions of a server with only their reviewed versions, because the others can be many and long. */
  loadReviewed(server: string): Promise<readonly StoredDefinition[]>
  /** Servers with stored definitions. */
  servers(): Promise<readonly string[]>
  /**
   * Stores a server's current definitions of the given kinds; a definition that is missing loses its `current`. Each
   * version is kept once: reviewed versions permanently, and of the others the last hundred, with at most 64 MiB per
   * server besides the current ones.
   */
  see(
    server: string,
    seen: { readonly kinds: readonly DefinitionKind[]; readonly definitions: readonly SeenDefinition[] },
    at: number,
  ): Promise<void>
  /** Stores a review. False, without a change, unless the version is current, so that no unseen version is approved. */
  review(key: DefinitionKey, fingerprint: string, review: Review): Promise<boolean>
  /** Stores many reviews, and returns those whose version is not the current one. */
  reviewAll(reviews: readonly DefinitionReview[]): Promise<readonly DefinitionReview[]>
  /** Disables or enables a definition; false if it does not exist. */
  disable(key: DefinitionKey, isDisabled: boolean): Promise<boolean>
}

/** Hints that an operator set for a tool, or with the name `*` for all tools of a server. */
export interface StoredOverride {
  readonly server: string
  readonly tool: string
  readonly hints: HintValues
  readonly by: string
  readonly at: number
}

export interface OverrideChange {
  /** All hints that are overridden after this change; undefined if it removed the override. */
  readonly hints?: HintValues
  readonly by: string
  readonly at: number
}

export interface OverrideStore {
  /** Lists all overrides by server and tool. */
  list(): Promise<readonly StoredOverride[]>
  set(override: StoredOverride): Promise<void>
  /** False if there was nothing to remove. */
  remove(server: string, tool: string, change: Pick<OverrideChange, 'by' | 'at'>): Promise<boolean>
  /** Returns every change of an override, oldest first. The history is kept permanently. */
  history(server: string, tool: string): Promise<readonly OverrideChange[]>
}
