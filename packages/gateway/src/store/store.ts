import type { HintValues } from '@hintgate/metadata'
import type { Rate, Scope } from '../scope/scope.ts'
import type { ApprovalStore } from './approval-store.ts'
import type { AuditStore } from './audit-store.ts'
import type { NotificationStore, PushSubscriberStore } from './notification-store.ts'
import type { PassageStore } from './passage-store.ts'
import type { SessionStore } from './session-store.ts'

/**
 * Everything that Hintgate stores. Small interfaces with one contract suite (`contract.ts`) for every backend. All
 * methods are asynchronous because a backend may be remote. A rejected promise means that nothing was changed.
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
   * Increases with every change: at once for changes of this process, within a second for others, and continuously
   * while the store cannot tell. Cheap enough to call on each request. Stored results, sessions and times of last use
   * do not count as changes, because no reader caches them.
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
  /** By name, including revoked ones. */
  list(): Promise<readonly StoredToken[]>
  /** False if the token does not exist or is already revoked. */
  revoke(name: string, at: number): Promise<boolean>
  /**
   * By hash, because the name may belong to another token by now. Only one of several concurrent calls returns true.
   */
  revokeHash(hash: string, at: number): Promise<boolean>
  /** Replaces the secret and keeps the scope. False if the token does not exist or is revoked. */
  rotate(name: string, secret: { readonly hash: string; readonly hint: string }): Promise<boolean>
  /** Best effort; may be coalesced. */
  touch(name: string, at: number): Promise<void>
}

/** Counts rate-limited events, for all processes if the store is shared. */
export interface RateStore {
  /**
   * Counts one event. Undefined if it is within the limit, otherwise the time until one is allowed again, in
   * milliseconds.
   */
  take(key: string, rate: Rate): Promise<number | undefined>
}

/** Secrets that must be readable again and so cannot be hashed. They are sealed before they are stored. */
export interface SecretStore {
  find(name: string): Promise<string | undefined>
  /** Replaces an existing secret. Notifies all listeners. */
  save(name: string, sealed: string): Promise<void>
  /** False if it does not exist. */
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
  /** `server:tool`. */
  readonly tool: string
  readonly createdAt: number
  readonly expiresAt: number
  /** Describes the runs, as JSON. */
  readonly body: string
}

/** The most bytes of bodies and runs to store, so that one agent cannot fill the disk. */
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
  /** Undefined for an expired result or another owner's, as for one that never existed. */
  find(handle: string, owner: string, now: number): Promise<KeptResult | undefined>
  /** Up to `count` runs starting at `first`; fewer at the end, none if deleted. Check ownership with `find` first. */
  readRuns(handle: string, first: number, count: number): Promise<readonly string[]>
  /** Returns how many were deleted. */
  removeExpired(now: number): Promise<number>
}

/** What a server declares and Hintgate pins: its tools, prompts, resource templates and instructions. */
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
  /** As JSON. */
  readonly definition: string
  /** The decision of a rule. It never replaces an existing review. */
  readonly review?: Review
}

export interface Review {
  readonly verdict: 'approved' | 'rejected'
  /** A person, or the rule that decided. */
  readonly by: string
  readonly at: number
  readonly note?: string | undefined
}

export interface DefinitionVersion {
  readonly fingerprint: string
  readonly definition: string
  readonly firstSeenAt: number
  readonly lastSeenAt: number
  /** The last one; a later review of the same version replaces it. */
  readonly review?: Review
}

export interface StoredDefinition extends DefinitionKey {
  /** The fingerprint of the version that the server sent last; undefined if it no longer sends this definition. */
  readonly current?: string
  /** Disabled by an operator, in every version. */
  readonly isDisabled: boolean
  /** Oldest first. */
  readonly versions: readonly DefinitionVersion[]
}

export interface DefinitionReview extends DefinitionKey {
  readonly fingerprint: string
  readonly review: Review
}

export interface DefinitionStore {
  /** All definitions of a server, or one of them. Ordered by kind and name. */
  load(server: string, only?: Pick<DefinitionKey, 'kind' | 'name'>): Promise<readonly StoredDefinition[]>
  /** The same for a server, with reviewed versions only, because the others can be many and long. */
  loadReviewed(server: string): Promise<readonly StoredDefinition[]>
  /** Servers with stored definitions. */
  servers(): Promise<readonly string[]>
  /**
   * Stores what a server declares now, for all given kinds; a definition that is missing loses its `current`. Each
   * version is kept once: reviewed ones permanently, otherwise the last hundred and at most 64 MiB per server besides
   * the current ones.
   */
  see(
    server: string,
    seen: { readonly kinds: readonly DefinitionKind[]; readonly definitions: readonly SeenDefinition[] },
    at: number,
  ): Promise<void>
  /** Returns false and changes nothing unless this is the current version, so that no unseen version is approved. */
  review(key: DefinitionKey, fingerprint: string, review: Review): Promise<boolean>
  /** The same for many reviews. Returns those that did not meet the condition. */
  reviewAll(reviews: readonly DefinitionReview[]): Promise<readonly DefinitionReview[]>
  /** False if the definition does not exist. */
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
  /** By server and tool. */
  list(): Promise<readonly StoredOverride[]>
  set(override: StoredOverride): Promise<void>
  /** False if it does not exist. */
  remove(server: string, tool: string, change: Pick<OverrideChange, 'by' | 'at'>): Promise<boolean>
  /** Every change of an override, oldest first. Kept permanently. */
  history(server: string, tool: string): Promise<readonly OverrideChange[]>
}
