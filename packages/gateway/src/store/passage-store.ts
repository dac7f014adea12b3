/** The passages that one result brought into a session. They are sealed, so the store does not reveal them. */
export interface StoredPassages {
  readonly principal: string
  readonly session: string
  readonly at: number
  readonly sealed: string
}

export interface NumberedPassages extends StoredPassages {
  /** Increases with every row. */
  readonly id: number
}

export interface PassageStore {
  /**
   * Adds rows with one commit, and removes the oldest rows of each principal that has much more than `most` characters.
   * Returns the new rows' ids. A process that has seen a principal's row never finds an earlier one later.
   */
  add(rows: readonly StoredPassages[], most: number): Promise<readonly number[]>
  /** Returns a principal's passages that were added after the row `after`, oldest first. */
  find(principal: string, after: number): Promise<readonly NumberedPassages[]>
  /** Deletes a session's passages. Notifies all listeners. */
  reset(session: string): Promise<void>
  removeBefore(moment: number): Promise<number>
}
