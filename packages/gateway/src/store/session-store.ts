export interface StoredSession {
  readonly id: string
  readonly principal: string
  /** The session's risk factors, as JSON. */
  readonly riskFactors: string
  readonly usedAt: number
}

export interface SessionStore {
  find(id: string): Promise<StoredSession | undefined>
  /** Lists sessions, starting with the one used most recently. */
  list(limit: number): Promise<readonly StoredSession[]>
  /**
   * Adds risk factors to those that the session has; concurrent additions are all kept. If the session was last used
   * before `freshSince`, it has ended, and a new one starts. Listeners are not notified, because readers load the
   * session on every use.
   */
  save(session: StoredSession, freshSince: number): Promise<void>
  /** Deletes a session; false if it does not exist. Notifies all listeners. */
  reset(id: string): Promise<boolean>
  removeBefore(moment: number): Promise<number>
}
