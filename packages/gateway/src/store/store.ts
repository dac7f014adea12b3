import type { Scope } from '../tokens/scope.ts'

/**
 * What Hintgate remembers. Small interfaces, one contract suite (`contract.ts`) for every backend. All
 * methods are asynchronous because a backend may be across a network. A rejected promise means that nothing
 * was changed.
 */
export interface Store {
  readonly tokens: TokenStore
  readonly eras: EraStore
  /**
   * Calls the listener soon (within a second) after anybody, in this process or another, changed something.
   * Returns how to stop. Listeners may be called without need, never too late twice in a row.
   */
  onChange(listener: () => void): () => void
  /** Grows with every change made through any process; cheap enough to ask on each request. */
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
  /** Swaps the secret, keeping the scope. False if there is no such token or it is revoked. */
  rotate(name: string, secret: { readonly hash: string; readonly hint: string }): Promise<boolean>
  /** Best effort; may be coalesced. */
  touch(name: string, at: number): Promise<void>
}

/** Which protocol era a server spoke last, so that the next start can skip the probe. */
export interface EraStore {
  find(server: string, definition: string): Promise<Era | undefined>
  remember(server: string, definition: string, era: Era): Promise<void>
}

export type Era = 'legacy' | 'modern'
