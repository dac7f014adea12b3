import { HintgateError } from '../base/errors.ts'
import { HEARTBEAT_MS, markProcess, type ProcessMark } from '../base/process-mark.ts'
import type { AuditStore } from '../store/audit-store.ts'
import { ChainWriter, closeWhatIsOpen } from './chain-writer.ts'
import { RefusalCounter } from './count-refusals.ts'
import type { IntentEntry, OutcomeEntry, Recorder } from './entry.ts'
import { GroupCommit } from './group-commit.ts'
import type { MaskText } from './mask.ts'
import { Sealer } from './sealer.ts'
import { writeIntent, writeOutcome, writeUnknown } from './write-row.ts'

export interface AuditRecorderDeps {
  readonly store: AuditStore
  /** The home folder's secret; seals use a key that is derived from it. */
  readonly secret: Buffer
  /** Masks secrets in texts. Values under keys that name a secret are masked even without this function. */
  readonly maskText?: MaskText
  /** True if the current config lets reads continue unrecorded while the log cannot be written. */
  readonly failOpenReads?: () => boolean
  /** Called with background errors, and once when recording starts to fail. */
  readonly onError?: (error: unknown) => void
  /** Called when `count` calls have waited for the log, the first of them for `seconds`. */
  readonly onWaited?: (count: number, seconds: number) => void
  readonly now?: () => number
  readonly mark?: ProcessMark
}

const STOPPED = 'The gateway was stopped before the call ended.'
const UNWRITABLE = 'The outcome could not be recorded.'
const CLOSED = { store: 'the audit log', why: 'it was closed' }

/**
 * Writes calls to the audit log. The row of a call that is not read-only is durable before the call is forwarded; a
 * read's row is written within 50 ms. Repeated refusals share a row with a count.
 *
 * @example
 * const recorder = new AuditRecorder({ store: store.audit, secret: loadSecretKey(home) })
 * await recorder.start()
 */
export class AuditRecorder implements Recorder {
  readonly #deps: AuditRecorderDeps
  readonly #mark: ProcessMark
  readonly #now: () => number
  readonly #chain: ChainWriter
  readonly #commits: GroupCommit
  /** Calls in progress, with an intent that is written or about to be written. */
  readonly #out = new Map<string, IntentEntry>()
  readonly #refusals = new RefusalCounter(entry => this.#addDeferred(entry))
  #timer: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(deps: AuditRecorderDeps) {
    this.#deps = deps
    this.#now = deps.now ?? Date.now
    this.#mark = deps.mark ?? markProcess()
    const { store } = deps
    this.#chain = new ChainWriter({
      store,
      sealer: new Sealer(deps.secret),
      mark: this.#mark,
      now: this.#now,
    })
    this.#commits = new GroupCommit({
      write: rows => this.#chain.append(rows),
      countInProgress: () => this.#out.size,
      onDropped: rows => {
        for (const { request } of rows) this.#out.delete(request)
      },
      ...(deps.onWaited === undefined ? {} : { onWaited: deps.onWaited }),
      onError: error => deps.onError?.(error),
    })
  }

  /** Ends the open calls of dead processes as `unknown`, now and periodically. Returns how many were ended now. */
  async start(): Promise<number> {
    const ended = await this.#closeOthers()
    this.#timer ??= setInterval(() => void this.#keepUp(), HEARTBEAT_MS).unref()
    return ended
  }

  intent(entry: IntentEntry): undefined | Promise<unknown> {
    if (this.#isClosed) return Promise.resolve(new HintgateError('store_unavailable', CLOSED))
    if (isRead(entry)) return this.#mayRead() ? undefined : failureOf(this.#commits.flush())
    const row = writeIntent(entry, this.#maskText)
    this.#out.set(entry.requestId, entry)
    return this.#commits.addDurable(row)
  }

  outcome(entry: OutcomeEntry): undefined | Promise<unknown> {
    // `close` has already recorded the outcome of open calls as unknown.
    if (this.#isClosed) return undefined
    const hasIntent = this.#out.delete(entry.call.requestId)
    if (hasIntent) return this.#commits.addKept(this.#writeOutcome(entry, true))
    if (!this.#refusals.count(entry)) this.#addDeferred(entry)
    return undefined
  }

  #addDeferred(entry: OutcomeEntry): void {
    this.#commits.addDeferred(this.#writeOutcome(entry, false))
  }

  /** Writes an outcome. If the details cannot be written, the call is recorded without them. */
  #writeOutcome(entry: OutcomeEntry, hasIntent: boolean): ReturnType<typeof writeOutcome> {
    try {
      return writeOutcome(entry, this.#maskText, { hasIntent })
    } catch (error) {
      this.#deps.onError?.(error)
      const { call, attempts, durationMs } = entry
      const bare: OutcomeEntry = { call, outcome: 'unknown', attempts, durationMs, detail: UNWRITABLE }
      return writeOutcome(bare, this.#maskText, { hasIntent })
    }
  }

  get waiting(): number {
    return this.#commits.waited
  }

  /** Writes pending rows and ends open calls, so that no other process has to do so. Never rejects. */
  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    clearInterval(this.#timer)
    this.#refusals.flush()
    for (const entry of this.#out.values()) {
      const intent = writeIntent(entry, this.#maskText)
      this.#commits.addDeferred(writeUnknown(intent, intent.shape, STOPPED))
    }
    this.#out.clear()
    try {
      await this.#commits.flush()
      await this.#chain.close()
    } catch (error) {
      this.#deps.onError?.(error)
    } finally {
      this.#commits.stop()
    }
  }

  readonly #maskText: MaskText = text => this.#deps.maskText?.(text) ?? text

  #mayRead(): boolean {
    return this.#commits.failure === undefined || (this.#deps.failOpenReads?.() ?? false)
  }

  async #closeOthers(): Promise<number> {
    return closeWhatIsOpen({
      store: this.#deps.store,
      here: this.#mark,
      now: this.#now(),
      isOwn: id => id === this.#chain.id,
      append: (rows, closes) => this.#commits.alone(() => this.#chain.append(rows, closes)),
    })
  }

  async #keepUp(): Promise<void> {
    try {
      // An empty batch shows other processes that this one is alive. Otherwise they would end its open calls as
      // abandoned.
      if (this.#out.size > 0) await this.#commits.alone(() => this.#chain.append([]))
      await this.#closeOthers()
    } catch (error) {
      this.#deps.onError?.(error)
    }
  }
}

function isRead({ known }: IntentEntry): boolean {
  return known?.variant === 'call_tool_read'
}

function failureOf(work: Promise<void>): Promise<unknown> {
  return work.catch((error: unknown) => error)
}
