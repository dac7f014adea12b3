export interface StoredSession {
  readonly id: string
  readonly principal: string
  /** The session's risk factors, as JSON. */
  readonly riskFactors: string
  readonly usedAt: number
}

export interface SessionStore {
  find(id: string): Promise<StoredSession | undefined>
  /** Lists sessions, the most recently used first. */
  list(limit: number): Promise<readonly StoredSession[]>
  /**
   * Adds risk factors to the existing ones, even under concurrent additions. A session last used before `freshSince`
   * has ended and starts anew. Listeners are not notified, because they read a session on every use.
   */
  save(session: StoredSession, freshSince: number): Promise<void>
  /** Deletes a session; false if it does not exist. Notifies all listeners. */
  reset(id: string): Promise<boolean>
  removeBefore(moment: number): Promise<number>
}
