export interface StoredSession {
  readonly id: string
  readonly principal: string
  /** As JSON. */
  readonly riskFactors: string
  readonly usedAt: number
}

export interface SessionStore {
  find(id: string): Promise<StoredSession | undefined>
  /** Newest first. */
  list(limit: number): Promise<readonly StoredSession[]>
  /**
   * Adds risk factors to the existing ones, also under concurrent additions; a session that was last used before `freshSince`
   * has ended and starts empty. Others are not notified, because they read a session on every use.
   */
  save(session: StoredSession, freshSince: number): Promise<void>
  /** False if it does not exist. Notifies all listeners. */
  reset(id: string): Promise<boolean>
  removeBefore(moment: number): Promise<number>
}
