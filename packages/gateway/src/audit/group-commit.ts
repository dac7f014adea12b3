import type { AuditContent } from '../store/audit-log/shape.ts'

/** Writes all of the rows or none of them. They are durable when the promise resolves. */
type Write = (rows: readonly AuditContent[]) => Promise<unknown>

interface GroupCommitDeps {
  readonly write: Write
  /** The number of calls in progress, each of which will add a row with its outcome. */
  readonly countInProgress: () => number
  /**
   * Called with rows that could not be written and will not be retried, before the calls that wait for them are told.
   */
  readonly onDropped?: (rows: readonly AuditContent[]) => void
  /** Called when `count` rows have waited, the first of them for `seconds`. */
  readonly onWaited?: (count: number, seconds: number) => void
  readonly onError: (error: unknown) => void
}

class Batch {
  readonly rows: AuditContent[] = []
  /** Rows that are dropped if they cannot be written. The others are kept and retried. */
  readonly droppable: AuditContent[] = []
  /** The number of rows that a call waits for; `since` is the time of the first of them. */
  urgent = 0
  since = 0
  /** Resolves to the reason why the rows could not be written, or to undefined when they are durable. Never rejects. */
  readonly tried: Promise<unknown>
  settle: (failure?: unknown) => void = () => {}

  constructor() {
    this.tried = new Promise(resolve => {
      this.settle = resolve
    })
  }

  /** The number of outcomes that a call waits for. */
  get ending(): number {
    return this.urgent - this.droppable.length
  }

  get kept(): readonly AuditContent[] {
    if (this.droppable.length === 0) return this.rows
    const droppable = new Set(this.droppable)
    return this.rows.filter(row => !droppable.has(row))
  }
}

/**
 * Number of rows at which a batch is written immediately. A larger batch would save little and make calls wait longer.
 */
const FULL = 64
/**
 * Number of rows at which a batch is written although no call waits for it. Usually it is written earlier, with urgent
 * rows.
 */
const FULL_DEFERRED = 512
const MAX_BATCH = 512
/** Urgent rows, which calls wait for, are written once no other row has arrived for this time. */
const URGENT_PAUSE_MS = 2
/** The longest time that urgent rows wait for others to arrive. */
const URGENT_MAX_MS = 6
/** The longest time that other rows wait. Together with the commit, it stays below the documented 50 ms. */
const DEFERRED_MS = 35
/** How long a caller counts as active after a row. Active callers are expected to add another row soon. */
const RECENT_MS = 20
const RETRY_MS = 250
/** Maximum number of rows to keep for a retry after a failure. */
const MAX_KEPT = 10_000

/**
 * Collects rows and writes many of them with one commit, because a commit costs as much as ten rows. A row that a call
 * waits for is written immediately, unless more callers were active recently than rows are waiting. The row then waits
 * briefly, because more rows are expected.
 */
export class GroupCommit {
  readonly #deps: GroupCommitDeps
  /** The batches, in order; all but the last are full. */
  #batches: Batch[] = []
  #waiting = 0
  #urgent = 0
  /** The number of urgent rows that are outcomes. */
  #ending = 0
  /** The largest recent number of concurrent calls. */
  #recentCalls = 0
  #recentUntil = 0
  #writing: Promise<void> | undefined
  #current: Batch | undefined
  #timer: NodeJS.Timeout | undefined
  #immediate: NodeJS.Immediate | undefined
  #failure: unknown
  #lost = 0

  constructor(deps: GroupCommitDeps) {
    this.#deps = deps
  }

  get waited(): number {
    return this.#urgent + (this.#current?.urgent ?? 0)
  }

  /** The reason why the last attempt failed; undefined if it succeeded. */
  get failure(): unknown {
    return this.#failure
  }

  /**
   * Adds a row. Resolves to undefined when the row is durable, or to the reason why it could not be written and was
   * dropped.
   */
  addDurable(row: AuditContent): Promise<unknown> {
    const batch = this.#put(row)
    batch.droppable.push(row)
    this.#makeUrgent(batch)
    return batch.tried
  }

  /** Adds a row that is not dropped if it cannot be written. Resolves when the row is durable or kept for a retry. */
  addKept(row: AuditContent): Promise<unknown> {
    if (this.#isFull()) return this.#lose()
    const batch = this.#put(row)
    this.#ending += 1
    this.#makeUrgent(batch)
    return batch.tried
  }

  /** Adds a row that no call waits for; it is written soon. */
  addDeferred(row: AuditContent): void {
    if (this.#isFull()) return void this.#lose()
    this.#put(row)
    this.#schedule()
  }

  /** Writes all pending rows, or tests whether writing works again; throws the reason if it does not. */
  async flush(): Promise<void> {
    await this.#writing
    while (this.#waiting > 0 || this.#failure !== undefined) {
      await this.#start()
      if (this.#failure !== undefined) throw this.#failure
    }
  }

  /** Runs work exclusively, between two batches. */
  async alone<T>(work: () => Promise<T>): Promise<T> {
    while (this.#writing !== undefined) await this.#writing
    const result = work()
    this.#writing = result.then(
      () => this.#done(),
      () => this.#done(),
    )
    return result
  }

  stop(): void {
    this.#disarm()
  }

  #put(row: AuditContent): Batch {
    let batch = this.#batches.at(-1)
    if (batch === undefined || batch.rows.length >= MAX_BATCH) {
      batch = new Batch()
      this.#batches.push(batch)
    }
    batch.rows.push(row)
    this.#waiting += 1
    return batch
  }

  #makeUrgent(batch: Batch): void {
    const now = performance.now()
    if (batch.urgent === 0) batch.since = now
    batch.urgent += 1
    this.#urgent += 1
    this.#noteActivity(now)
    this.#schedule()
  }

  #isFull(): boolean {
    return this.#failure !== undefined && this.#waiting >= MAX_KEPT
  }

  #lose(): Promise<void> {
    this.#lost += 1
    return Promise.resolve()
  }

  #schedule(): void {
    const count = this.#waiting
    if (count === 0 || this.#writing !== undefined || this.#immediate !== undefined) return
    if (this.#urgent === 0) {
      if (count >= FULL_DEFERRED && this.#failure === undefined) this.#schedulePrompt()
      else this.#within(this.#failure === undefined ? DEFERRED_MS : RETRY_MS)
    } else if (count >= FULL || this.#urgent >= this.#recentCalls) this.#schedulePrompt()
    else {
      // The running timer might be the longer one for rows that no call waits for.
      if (this.#urgent === 1) this.#disarm()
      this.#timer ??= this.#startUnlessMoreCome(count, URGENT_MAX_MS)
    }
  }

  /**
   * Notes how many callers are active. More rows are expected from them: a call adds two rows, and agents make several
   * calls.
   */
  #noteActivity(now: number): void {
    const count = this.#ending + (this.#current?.ending ?? 0) + this.#deps.countInProgress()
    if (count < this.#recentCalls && now < this.#recentUntil) return
    this.#recentCalls = count
    this.#recentUntil = now + RECENT_MS
  }

  /** Schedules a write after this turn of the event loop, so that rows from the same turn are included. */
  #schedulePrompt(): void {
    this.#disarm()
    this.#immediate = setImmediate(() => void this.#start())
  }

  #within(ms: number): void {
    this.#timer ??= setTimeout(() => void this.#start(), ms)
  }

  #startUnlessMoreCome(count: number, most: number): NodeJS.Timeout {
    return setTimeout(() => {
      if (this.#waiting === count || most <= URGENT_PAUSE_MS) void this.#start()
      else this.#timer = this.#startUnlessMoreCome(this.#waiting, most - URGENT_PAUSE_MS)
    }, URGENT_PAUSE_MS)
  }

  #disarm(): void {
    clearTimeout(this.#timer)
    clearImmediate(this.#immediate)
    this.#timer = undefined
    this.#immediate = undefined
  }

  #start(): Promise<void> {
    this.#disarm()
    if (this.#writing !== undefined) return this.#writing
    const batch = this.#batches.shift() ?? new Batch()
    this.#waiting -= batch.rows.length
    this.#current = batch
    this.#ending -= batch.ending
    this.#urgent -= batch.urgent
    this.#writing = this.#write(batch).then(() => this.#done())
    return this.#writing
  }

  #done(): void {
    this.#writing = undefined
    this.#schedule()
  }

  async #write(batch: Batch): Promise<void> {
    try {
      await this.#deps.write(batch.rows)
      this.#failure = undefined
      this.#current = undefined
      if (batch.urgent > 0) this.#deps.onWaited?.(batch.urgent, (performance.now() - batch.since) / 1000)
      batch.settle()
      this.#tellLost()
    } catch (error) {
      // The failure must not be undefined, which would mean success.
      this.#fail(batch, error ?? new Error('the rows could not be written'))
    }
  }

  #tellLost(): void {
    if (this.#lost === 0) return
    this.#deps.onError(
      new Error(`${this.#lost} audit log rows were dropped, because too many rows could not be written`),
    )
    this.#lost = 0
  }

  /** Fails all waiting rows, including those in batches that were not tried, because writing those would fail too. */
  #fail(batch: Batch, error: unknown): void {
    if (this.#failure === undefined) this.#deps.onError(error)
    this.#failure = error
    this.#current = undefined
    const all = [batch, ...this.#batches]
    const kept = all.flatMap(one => one.kept)
    this.#batches = []
    this.#waiting = 0
    this.#urgent = 0
    this.#ending = 0
    for (const row of kept.slice(0, MAX_KEPT)) this.#put(row)
    this.#lost += kept.length - this.#waiting
    this.#deps.onDropped?.(all.flatMap(({ droppable }) => droppable))
    for (const { settle } of all) settle(error)
  }
}
