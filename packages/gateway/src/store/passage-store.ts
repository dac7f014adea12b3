/** The passages that one result brought into a session. They are sealed, so the store does not reveal them. */
export interface StoredPassages {
  readonly principal: string
  readonly session: string
  readonly at: number
  readonly sealed: string
}

export interface NumberedPassages extends StoredPassages {
  /** Every row gets a higher id than all earlier rows. */
  readonly id: number
}

export interface PassageStore {
  /**
   * Adds rows in one commit. If a principal then has much more than `most` characters, the principal's oldest rows are
   * removed. Returns the ids of the new rows. Rows of one principal become visible in the order of their ids.
   */
  add(rows: readonly StoredPassages[], most: number): Promise<readonly number[]>
  /** Returns a principal's passages that were added after the row `after`, oldest first. */
  find(principal: string, after: number): Promise<readonly NumberedPassages[]>
  /** Deletes a session's passages. Notifies all listeners. */
  reset(session: string): Promise<void>
  removeBefore(moment: number): Promise<number>
}
