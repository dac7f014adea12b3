/**
 * The audit log as it is stored: rows in chains, one chain for each writer, and nothing ever updated in place.
 * Hashes and seals are made and checked outside (`audit/`); a store keeps them as they are.
 */
export interface AuditStore {
  /**
   * A new chain. Numbers are given without gaps, from 1, so that a chain that is missing is noticed; it has the seal of
   * its end from the beginning, so that one that was emptied is noticed, too.
   */
  register(writer: AuditWriter, sealStart: (id: number) => AuditSeal): Promise<number>
  /**
   * Adds rows to the end of a chain, all or none; durable when the promise resolves. Fails unless they follow the
   * last row. False, and nothing is added, if `closes` names a writer that is closed already.
   */
  append(batch: AuditBatch): Promise<boolean>
  /** Nothing of this writer is open any more. False if it was closed already. Who appends is open again. */
  closeWriter(id: number, at: number): Promise<boolean>
  /** All writers that ever were, or those that are not closed, by number. */
  writers(which?: 'open'): Promise<readonly StoredWriter[]>
  /** Calls that ended, newest first. */
  query(request: AuditRequest): Promise<AuditPage>
  /** Calls with an intent and nothing after it that ends them, of one writer or of all that are not closed, oldest first. */
  open(writer?: number): Promise<readonly AuditRow[]>
  /** The rows of one call, intent first. */
  find(request: string): Promise<readonly AuditRow[]>
  /** Rows in the order in which they were added, so that every chain comes in its own order. From the beginning. */
  read(after: string | undefined, limit: number): Promise<AuditSlice>
  /** The same for who wants to prove something: also says which rows `query`, `open` or `find` would miss. About so many at a time. */
  check(after: string | undefined, limit: number): Promise<CheckedSlice>
  /** Where `read` goes on for who wants to see only what is new. */
  end(): Promise<string>
  /** Rows of one writer after a number, in order. */
  readWriter(id: number, after: number, limit: number): Promise<readonly AuditRow[]>
  /**
   * Forgets the rows of a chain up to a row and keeps a seal in their place. False, and nothing happens, unless
   * what was sealed before ends at `after`.
   */
  seal(id: number, after: number, seal: AuditSeal): Promise<boolean>
}

/** Who writes a chain: one run of one process. */
export interface AuditWriter {
  /** Random; part of every hash, so that no row can be moved to another chain. */
  readonly name: string
  readonly startedAt: number
  /** Where a process id means something: one boot of one machine, one container. */
  readonly place: string
  readonly pid: number
  /** When the process was started, as its system counts, because ids are given again. Empty where unknown. */
  readonly processStart: string
  readonly keyId: string
}

/** A place in a chain, with a keyed digest that only who has the key can make. */
export interface AuditSeal {
  readonly seq: number
  readonly hash: string
  readonly mac: string
}

export interface StoredWriter extends AuditWriter {
  readonly id: number
  /** When it last wrote. */
  readonly seenAt: number
  readonly closedAt?: number
  /** The last row, or the place before the first one. Absent: versions before this one did not seal that place. */
  readonly head?: AuditSeal
  /** The last row that was forgotten; the chain goes on after it. */
  readonly sealed?: AuditSeal
  /** No row before this one is an intent without an outcome. */
  readonly openFrom: number
}

/** Empty strings stand for what does not apply. No text has control characters, nor half characters. */
export interface AuditRow {
  readonly writer: number
  /** 1, 2, 3, … within the chain. */
  readonly seq: number
  /** When the call came in, in all rows of a call. */
  readonly at: number
  /** `call`: intent and outcome in one row, for what was only read or never forwarded. */
  readonly kind: 'intent' | 'outcome' | 'call'
  readonly request: string
  readonly agent: string
  readonly server: string
  readonly tool: string
  readonly variant: string
  readonly verdict: string
  readonly outcome: string
  readonly code: string
  /** Everything else, as JSON. */
  readonly body: string
  readonly prev: string
  readonly hash: string
}

export interface AuditBatch {
  readonly writer: number
  readonly rows: readonly AuditRow[]
  /** The end of the chain with these rows. Absent: there are no rows, the writer only shows that it is there. */
  readonly head?: AuditSeal
  readonly openFrom: number
  readonly at: number
  /** Another writer that is gone; these rows end what it left open. */
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
  /** Calls that came in at or after. */
  readonly since?: number | undefined
  /** Calls that came in before. */
  readonly until?: number | undefined
}

export interface AuditRequest extends AuditFilter {
  readonly limit: number
  /** `next` of the page before, with the same filter. */
  readonly cursor?: string | undefined
}

export interface AuditPage {
  readonly calls: readonly StoredCall[]
  /** Absent: there are no more. */
  readonly next?: string
}

export interface StoredCall {
  /** The row that was written before the call was forwarded, where there is one. */
  readonly intent?: AuditRow
  /** The row that says how it ended; of kind `call` where it is the only one. */
  readonly ending: AuditRow
}

export interface AuditSlice {
  readonly rows: readonly AuditRow[]
  readonly cursor: string
}

export interface CheckedSlice extends AuditSlice {
  /** There is nothing more. A slice without rows need not be the last: somebody may have emptied it. */
  readonly isOver: boolean
  readonly misfiled: readonly Misfiled[]
}

/** Rows that are there, and that nobody finds by what they say. */
export interface Misfiled {
  readonly writer: number
  readonly firstSeq: number
  readonly lastSeq: number
}
