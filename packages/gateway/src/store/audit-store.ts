/**
 * The stored audit log. Its rows form chains, one chain per writer, and are never updated in place. The code in
 * `audit/` creates and checks hashes and seals; a store keeps them unchanged.
 */
export interface AuditStore {
  /**
   * Starts a new chain. Chains are numbered from 1 without gaps, so a missing chain is noticed. The end of a chain is
   * sealed from the start, so an emptied chain is noticed, too.
   */
  register(writer: AuditWriter, sealStart: (id: number) => AuditSeal): Promise<number>
  /**
   * Adds rows to the end of a chain, either all or none. They are durable when the promise resolves. Fails unless they
   * follow the last row. Returns false and adds nothing if `closes` is a writer that is already closed.
   */
  append(batch: AuditBatch): Promise<boolean>
  /**
   * Marks a writer as closed, which means that it has no open calls. Returns false if it was already closed. Appending
   * opens it again.
   */
  closeWriter(id: number, at: number): Promise<boolean>
  /** Returns all writers (or only those that are not closed), in the order of their numbers. */
  writers(which?: 'open'): Promise<readonly StoredWriter[]>
  /** Returns calls that have ended, newest first. */
  query(request: AuditRequest): Promise<AuditPage>
  /** Returns the intents that have no outcome, of one writer or of all open writers, oldest first. */
  open(writer?: number): Promise<readonly AuditRow[]>
  /** Returns the rows of one call, with the intent first. */
  find(request: string): Promise<readonly AuditRow[]>
  /** Reads rows in the order in which they were added, which keeps the order within each chain. */
  read(after: string | undefined, limit: number): Promise<AuditSlice>
  /**
   * Reads rows as `read` does, for verification. It also reports rows that `query`, `open` or `find` would miss.
   * `limit` is approximate.
   */
  check(after: string | undefined, limit: number): Promise<CheckedSlice>
  /** Returns the cursor from which `read` returns only new rows. */
  end(): Promise<string>
  /** Returns the rows of one writer that follow the row with the given number, in order. */
  readWriter(id: number, after: number, limit: number): Promise<readonly AuditRow[]>
  /**
   * Deletes the rows of a chain up to a certain row and stores a seal in their place. Returns false and changes nothing
   * unless the previous seal ends at `after`.
   */
  seal(id: number, after: number, seal: AuditSeal): Promise<boolean>
}

/** The writer of a chain. Every run of a process is a separate writer. */
export interface AuditWriter {
  /** A random name that is part of every hash in the chain, so that no row can be moved to another chain. */
  readonly name: string
  readonly startedAt: number
  /** Identifies where the process id is unique: one boot of one machine, or one container. */
  readonly place: string
  readonly pid: number
  /**
   * The start time of the process as the operating system reports it; needed because process ids are reused. Empty if
   * unknown.
   */
  readonly processStart: string
  readonly keyId: string
}

/** A position in a chain, with a keyed digest that only the holder of the key can create. */
export interface AuditSeal {
  readonly seq: number
  readonly hash: string
  readonly mac: string
}

export interface StoredWriter extends AuditWriter {
  readonly id: number
  /** The time at which the writer last wrote. */
  readonly seenAt: number
  readonly closedAt?: number
  /**
   * The last row, or the position before the first row. Undefined for chains from older versions, which did not seal
   * that position.
   */
  readonly head?: AuditSeal
  /** The last row that was deleted. The chain continues after it. */
  readonly sealed?: AuditSeal
  /** The number of a row before which every intent has an outcome. */
  readonly openFrom: number
}

/** A row of the log. An empty string means that a field does not apply. Texts contain no control characters and no lone surrogates. */
export interface AuditRow {
  readonly writer: number
  /** The row's number in its chain: 1, 2, 3, … */
  readonly seq: number
  /** The time at which the call arrived. It is the same in all rows of a call. */
  readonly at: number
  /**
   * The kind of row. `call` is an intent and its outcome in one row, for reads and for calls that were not forwarded.
   */
  readonly kind: 'intent' | 'outcome' | 'call'
  readonly request: string
  readonly agent: string
  readonly server: string
  readonly tool: string
  readonly variant: string
  readonly verdict: string
  readonly outcome: string
  readonly code: string
  /** The rest of the row's content, as JSON. */
  readonly body: string
  readonly prev: string
  readonly hash: string
}

export interface AuditBatch {
  readonly writer: number
  readonly rows: readonly AuditRow[]
  /**
   * The end of the chain after these rows. Undefined for a batch without rows, which only shows that the writer is
   * still running.
   */
  readonly head?: AuditSeal
  readonly openFrom: number
  readonly at: number
  /** The number of a writer that no longer runs and whose open calls these rows end. */
  readonly closes?: number
}

export interface AuditFilter {
  readonly agent?: string | undefined
  readonly server?: string | undefined
  readonly tool?: string | undefined
  readonly variant?: string | undefined
  readonly verdict?: string | undefined
  readonly outcome?: string | undefined
  readonly code?: string | undefined
  /** Only calls that arrived at this time or later. */
  readonly since?: number | undefined
  /** Only calls that arrived before this time. */
  readonly until?: number | undefined
  /** A further condition on the row that ends a call. It is checked row by row, without an index. */
  readonly also?: ((ending: AuditRow) => boolean) | undefined
}

export interface AuditRequest extends AuditFilter {
  readonly limit: number
  /** The `next` of the previous page for the same filter. */
  readonly cursor?: string | undefined
}

export interface AuditPage {
  readonly calls: readonly StoredCall[]
  /** The cursor of the next page; undefined on the last page. */
  readonly next?: string
}

export interface StoredCall {
  /** The row that was written before the call was forwarded, if there is one. */
  readonly intent?: AuditRow
  /** The row with the outcome. It is of kind `call` if the call has only this row. */
  readonly ending: AuditRow
}

export interface AuditSlice {
  readonly rows: readonly AuditRow[]
  readonly cursor: string
}

export interface CheckedSlice extends AuditSlice {
  /**
   * True at the end of the log. A slice without rows is not always the last one, because its chunk might have been
   * emptied.
   */
  readonly isOver: boolean
  readonly misfiled: readonly Misfiled[]
}

/** Rows that exist although a query would not find them. */
export interface Misfiled {
  readonly writer: number
  readonly firstSeq: number
  readonly lastSeq: number
}
