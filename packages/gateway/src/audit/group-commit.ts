import type { AuditContent } from '../store/audit-log/shape.ts'

/** Writes rows, all or none; durable when the promise resolves. */
type Write = (rows: readonly AuditContent[]) => Promise<unknown>

interface GroupCommitDeps {
  readonly write: Write
  /** How many calls have begun, and will sooner or later bring a row that says how they ended. */
  readonly countOut: () => number
  /** Rows that could not be written and will not be tried again. Told before those who wait for them. */
  readonly onForgotten?: (rows: readonly AuditContent[]) => void
  /** So many waited, the first of them for so long. */
  readonly onWaited?: (count: number, seconds: number) => void
  readonly onError: (error: unknown) => void
}

class Batch {
  readonly rows: AuditContent[] = []
  /** Those among them that are forgotten when they cannot be written. The others stay and are tried again. */
  readonly forgettable: AuditContent[] = []
  /** How many of them somebody waits for, and since when. */
  hurried = 0
  since = 0
  /** Why they could not be written; undefined when they are durable. Never rejects. */
  readonly tried: Promise<unknown>
  settle: (failure?: unknown) => void = () => {}

  constructor() {
    this.tried = new Promise(resolve => {
      this.settle = resolve
    })
  }

  /** How many say how a call ended, and somebody waits for it. */
  get ending(): number {
    return this.hurried - this.forgettable.length
  }

  get kept(): readonly AuditContent[] {
    if (this.forgettable.length === 0) return this.rows
    const forgettable = new Set(this.forgettable)
    return this.rows.filter(row => !forgettable.has(row))
  }
}

/** Enough to share the cost of a commit; more would only wait longer. */
const FULL = 64
/** What nobody waits for is written in longer batches, or rides along. */
const FULL_UNHURRIED = 512
const MAX_BATCH = 512
/** How long rows that somebody waits for wait for others: until for so long none came, */
const HURRIED_MS = 2
/** and no longer than this. */
const MOST_HURRIED_MS = 6
/** With the commit itself this stays under the 50 ms that the documentation promises. */
const UNHURRIED_MS = 35
/** For how long those who were here are expected back. */
const CROWD_MS = 20
const RETRY_MS = 250
/** Rows that could not be written are kept up to here. */
const MAX_KEPT = 10_000

/**
 * Collects rows and writes many of them with one commit, because a commit costs as much as ten rows. A row that
 * somebody waits for is written at once unless more callers were here a moment ago than rows are waiting: then others are
 * about to come, and it waits for them a little.
 */
export class GroupCommit {
  readonly #deps: GroupCommitDeps
  /** In order; all but the last are full. */
  #batches: Batch[] = []
  #waiting = 0
  #hurried = 0
  /** How many of those say how a call ended. */
  #ending = 0
  /** The most calls that were seen at once lately. */
  #crowd = 0
  #crowdUntil = 0
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
    return this.#hurried + (this.#current?.hurried ?? 0)
  }

  /** Why the last attempt failed; undefined when all is well. */
  get failure(): unknown {
    return this.#failure
  }

  /** Resolves when the row is durable; or to why it could not be written, and it is forgotten then. */
  addDurable(row: AuditContent): Promise<unknown> {
    const batch = this.#put(row)
    batch.forgettable.push(row)
    this.#hurry(batch)
    return batch.tried
  }

  /** Resolves when the row is durable, or when it has to wait for better times. */
  addKept(row: AuditContent): Promise<unknown> {
    if (this.#isFull()) return this.#lose()
    const batch = this.#put(row)
    this.#ending += 1
    this.#hurry(batch)
    return batch.tried
  }

  /** Written within a moment; nobody waits for it. */
  addUnhurried(row: AuditContent): void {
    if (this.#isFull()) return void this.#lose()
    this.#put(row)
    this.#schedule()
  }

  /** Tries to write all that waits, or whether it is possible again, and says what is wrong if it is not. */
  async flush(): Promise<void> {
    await this.#writing
    while (this.#waiting > 0 || this.#failure !== undefined) {
      await this.#start()
      if (this.#failure !== undefined) throw this.#failure
    }
  }

  /** Runs alone, between two batches. */
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

  #hurry(batch: Batch): void {
    const now = performance.now()
    if (batch.hurried === 0) batch.since = now
    batch.hurried += 1
    this.#hurried += 1
    this.#see(now)
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
    if (this.#hurried === 0) {
      if (count >= FULL_UNHURRIED && this.#failure === undefined) this.#soon()
      else this.#within(this.#failure === undefined ? UNHURRIED_MS : RETRY_MS)
    } else if (count >= FULL || this.#hurried >= this.#crowd) this.#soon()
    else {
      // The timer may be the long one of a row that nobody waits for.
      if (this.#hurried === 1) this.#disarm()
      this.#timer ??= this.#startUnlessMoreCome(count, MOST_HURRIED_MS)
    }
  }

  /** Who was here a moment ago comes again: a call brings two rows, and an agent more than one call. */
  #see(now: number): void {
    const count = this.#ending + (this.#current?.ending ?? 0) + this.#deps.countOut()
    if (count < this.#crowd && now < this.#crowdUntil) return
    this.#crowd = count
    this.#crowdUntil = now + CROWD_MS
  }

  /** Not at once: what else this turn of the event loop brings comes along. */
  #soon(): void {
    this.#disarm()
    this.#immediate = setImmediate(() => void this.#start())
  }

  #within(ms: number): void {
    this.#timer ??= setTimeout(() => void this.#start(), ms)
  }

  #startUnlessMoreCome(count: number, most: number): NodeJS.Timeout {
    return setTimeout(() => {
      if (this.#waiting === count || most <= HURRIED_MS) void this.#start()
      else this.#timer = this.#startUnlessMoreCome(this.#waiting, most - HURRIED_MS)
    }, HURRIED_MS)
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
    this.#hurried -= batch.hurried
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
      if (batch.hurried > 0) this.#deps.onWaited?.(batch.hurried, (performance.now() - batch.since) / 1000)
      batch.settle()
      this.#tellLost()
    } catch (error) {
      // Nothing at all would read as success.
      this.#fail(batch, error ?? new Error('the rows could not be written'))
    }
  }

  #tellLost(): void {
    if (this.#lost === 0) return
    this.#deps.onError(
      new Error(`${this.#lost} rows of the audit log were given up: there was no room for them`),
    )
    this.#lost = 0
  }

  /** Whoever waits is told, also those whose rows were not tried: they would fare no better. */
  #fail(batch: Batch, error: unknown): void {
    if (this.#failure === undefined) this.#deps.onError(error)
    this.#failure = error
    this.#current = undefined
    const all = [batch, ...this.#batches]
    const kept = all.flatMap(one => one.kept)
    this.#batches = []
    this.#waiting = 0
    this.#hurried = 0
    this.#ending = 0
    for (const row of kept.slice(0, MAX_KEPT)) this.#put(row)
    this.#lost += kept.length - this.#waiting
    this.#deps.onForgotten?.(all.flatMap(({ forgettable }) => forgettable))
    for (const { settle } of all) settle(error)
  }
}
