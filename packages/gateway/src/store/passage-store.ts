/** The passages that one result brought into a session. They are sealed, so the store does not reveal them. */
export interface StoredPassages {
  readonly principal: string
  readonly session: string
  readonly at: number
  readonly sealed: string
}

export interface NumberedPassages extends StoredPassages {
  /** Grows with every row. */
  readonly id: number
}

export interface PassageStore {
  /** Adds passages, and removes the oldest of the same principal where there are more than `most` characters of them. */
  add(passages: StoredPassages, most: number): Promise<number>
  /** Those of a principal that were added after the row `after`, oldest first. */
  find(principal: string, after: number): Promise<readonly NumberedPassages[]>
  /** Forgets a session; everybody hears of it. */
  reset(session: string): Promise<void>
  removeBefore(moment: number): Promise<number>
}
