import type { HintValues } from '@hintgate/metadata'
import type { Rate, Scope } from '../scope/scope.ts'
import type { ApprovalStore } from './approval-store.ts'
import type { AuditStore } from './audit-store.ts'
import type { PassageStore } from './passage-store.ts'
import type { SessionStore } from './session-store.ts'

/**
 * What Hintgate remembers. Small interfaces, one contract suite (`contract.ts`) for every backend. All
 * methods are asynchronous because a backend may be across a network. A rejected promise means that nothing
 * was changed.
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
  /** Whether gateways on other machines may be writing to it as well: then what was read before may be old. */
  readonly isShared: boolean
  /**
   * Calls the listener soon (within a second) after anybody, in this process or another, changed something.
   * Returns how to stop. Listeners may be called without need, never too late twice in a row.
   */
  onChange(listener: () => void): () => void
  /**
   * Grows with every change: at once when this process made it, within a second when another did; and all the time
   * while nobody can tell. Cheap enough to ask on each request. Kept results, sessions and the times of last use are
   * not changes: nobody has to look anything up again because of them.
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
  /** Fails with `name_taken` if a token of that name exists that is not revoked; replaces a revoked one. */
  insert(token: StoredToken): Promise<void>
  findByHash(hash: string): Promise<StoredToken | undefined>
  findByName(name: string): Promise<StoredToken | undefined>
  /** By name, revoked ones included. */
  list(): Promise<readonly StoredToken[]>
  /** False if there is no such token or it is revoked already. */
  revoke(name: string, at: number): Promise<boolean>
  /** A name may have been given to another secret since. Of many who come with one, one is told true. */
  revokeHash(hash: string, at: number): Promise<boolean>
  /** Swaps the secret, keeping the scope. False if there is no such token or it is revoked. */
  rotate(name: string, secret: { readonly hash: string; readonly hint: string }): Promise<boolean>
  /** Best effort; may be coalesced. */
  touch(name: string, at: number): Promise<void>
}

/** Counts of what there may be only so much of; for all that share the store, where it is shared. */
export interface RateStore {
  /** Counts one more. Undefined if there was room for it, else how long there will be none, in milliseconds. */
  take(key: string, rate: Rate): Promise<number | undefined>
}

/** Secrets that we need again, and therefore cannot hash. They are sealed before they get here. */
export interface SecretStore {
  find(name: string): Promise<string | undefined>
  /** In the place of what was there. Everybody hears of it. */
  save(name: string, sealed: string): Promise<void>
  /** False if there is none. */
  remove(name: string): Promise<boolean>
}

/** Which protocol era a server spoke last, so that the next start can skip the probe. */
export interface EraStore {
  find(server: string, definition: string): Promise<Era | undefined>
  remember(server: string, definition: string, era: Era): Promise<void>
}

export type Era = 'legacy' | 'modern'

/** A result of a tool that was too long to be answered in one go. It is kept in runs, so that some can be read without others. */
export interface KeptResult {
  readonly handle: string
  /** The principal who may read it, and nobody else. */
  readonly owner: string
  /** `server:tool`. */
  readonly tool: string
  readonly createdAt: number
  readonly expiresAt: number
  /** What is in which run, as JSON. */
  readonly body: string
}

/** How many bytes of bodies and runs are kept at most, so that one agent cannot fill the disk. */
export interface ResultQuota {
  readonly ownerBytes: number
  readonly totalBytes: number
}

export interface ResultStore {
  /**
   * Keeps a result. Where the quota asks for it, the oldest results of the same owner are forgotten, never those of
   * others and never the one just kept. False, with none of them forgotten, if even all of them would not make room.
   * What has expired by `createdAt` is forgotten on the way.
   */
  insert(result: KeptResult, quota: ResultQuota, runs?: readonly string[]): Promise<boolean>
  /** What is somebody else's or has expired is not found, just like what never was. */
  find(handle: string, owner: string, now: number): Promise<KeptResult | undefined>
  /** So many runs from the `first` on; fewer at the end, and none of what was forgotten. `find` says whose they are. */
  readRuns(handle: string, first: number, count: number): Promise<readonly string[]>
  /** How many were forgotten. */
  removeExpired(now: number): Promise<number>
}

/** What a server says of itself and is pinned: its tools, prompts, resource templates, and its instructions. */
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
  /** A rule's, in the place of an operator. It never replaces a review that is there. */
  readonly review?: Review
}

export interface Review {
  readonly verdict: 'approved' | 'rejected'
  /** A person, or the rule that decided in their place. */
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
  /** The fingerprint of the version that the server sent last; absent when it no longer has this. */
  readonly current?: string
  /** An operator switched it off, whatever its version. */
  readonly isDisabled: boolean
  /** Oldest first. */
  readonly versions: readonly DefinitionVersion[]
}

export interface DefinitionReview extends DefinitionKey {
  readonly fingerprint: string
  readonly review: Review
}

export interface DefinitionStore {
  /** Everything known of one server, or of one definition of it. Ordered by kind and name. */
  load(server: string, only?: Pick<DefinitionKey, 'kind' | 'name'>): Promise<readonly StoredDefinition[]>
  /** The same of a server, with only those versions that somebody said something of: the others may be many, and long. */
  loadReviewed(server: string): Promise<readonly StoredDefinition[]>
  /** Servers that something is known of. */
  servers(): Promise<readonly string[]>
  /**
   * Writes down what a server says now, all of the given kinds; what is no longer there loses its `current`. Versions are
   * kept, each once: for ever where somebody said something of them, else the last hundred, and no more than 64 MiB of a
   * server beside what it has now.
   */
  see(
    server: string,
    seen: { readonly kinds: readonly DefinitionKind[]; readonly definitions: readonly SeenDefinition[] },
    at: number,
  ): Promise<void>
  /** False, and nothing happens, unless this is the version that the server sent last: nobody approves unseen. */
  review(key: DefinitionKey, fingerprint: string, review: Review): Promise<boolean>
  /** Many at once, each under the same condition. Gives back those of the given ones that did not meet it. */
  reviewAll(reviews: readonly DefinitionReview[]): Promise<readonly DefinitionReview[]>
  /** False if there is no such definition. */
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
  /** All that are overridden since then; absent: none any more. */
  readonly hints?: HintValues
  readonly by: string
  readonly at: number
}

export interface OverrideStore {
  /** By server and tool. */
  list(): Promise<readonly StoredOverride[]>
  set(override: StoredOverride): Promise<void>
  /** False if there is none. */
  remove(server: string, tool: string, change: Pick<OverrideChange, 'by' | 'at'>): Promise<boolean>
  /** Every time that one was set or removed, oldest first. It is kept for ever. */
  history(server: string, tool: string): Promise<readonly OverrideChange[]>
}
