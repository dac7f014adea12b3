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
   * Adds risk factors to those that are there, whoever else adds some at the same time; what was last used before `freshSince`
   * is over and does not count. Others need not hear of it: who asks anew finds it.
   */
  save(session: StoredSession, freshSince: number): Promise<void>
  /** False if there is none. Everybody hears of it. */
  reset(id: string): Promise<boolean>
  removeBefore(moment: number): Promise<number>
}
