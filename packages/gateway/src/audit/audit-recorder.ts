import { HintgateError } from '../base/errors.ts'
import { HEARTBEAT_MS, markProcess, type ProcessMark } from '../base/process-mark.ts'
import type { AuditStore } from '../store/audit-store.ts'
import { ChainWriter, closeWhatIsOpen } from './chain-writer.ts'
import type { IntentEntry, OutcomeEntry, Recorder } from './entry.ts'
import { GroupCommit } from './group-commit.ts'
import type { MaskText } from './mask.ts'
import { Sealer } from './sealer.ts'
import { writeIntent, writeOutcome, writeUnknown } from './write-row.ts'

export interface AuditRecorderDeps {
  readonly store: AuditStore
  /** The secret of the home folder; seals are made with a key derived from it. */
  readonly secret: Buffer
  /** Masks secrets in texts; keys that name a secret are masked without it. */
  readonly maskText?: MaskText
  /** Whether reads go on unrecorded when nothing can be recorded. As the config says now. */
  readonly failOpenReads?: () => boolean
  /** Told once when recording begins to fail, and of faults in the background. */
  readonly onError?: (error: unknown) => void
  /** So many calls waited for the log, the first of them for so long. */
  readonly onWaited?: (count: number, seconds: number) => void
  readonly now?: () => number
  readonly mark?: ProcessMark
}

const STOPPED = 'The gateway was stopped before the call ended.'
const UNWRITABLE = 'What came of it could not be written down.'
const CLOSED = { store: 'the audit log', why: 'it was closed' }

/**
 * Writes calls into the audit log. What is not read-only is durable before it is forwarded; what only reads is written
 * within 50 ms.
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
  /** Calls whose intent is written, or about to be, and whose end is not known yet. */
  readonly #out = new Map<string, IntentEntry>()
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
      countOut: () => this.#out.size,
      onForgotten: rows => {
        for (const { request } of rows) this.#out.delete(request)
      },
      ...(deps.onWaited === undefined ? {} : { onWaited: deps.onWaited }),
      onError: error => deps.onError?.(error),
    })
  }

  /** Ends as `unknown` what processes that are gone left open, now and from time to time. Says how many. */
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
    // What was out has been ended as unknown.
    if (this.#isClosed) return undefined
    const hasIntent = this.#out.delete(entry.call.requestId)
    const row = this.#writeOutcome(entry, hasIntent)
    if (hasIntent) return this.#commits.addKept(row)
    this.#commits.addUnhurried(row)
    return undefined
  }

  /** However odd the end of a call is: that there was one is written down. */
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

  /** Writes what waits, ends what is still open, and leaves nothing for others to close. Never rejects. */
  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    clearInterval(this.#timer)
    for (const entry of this.#out.values()) {
      const intent = writeIntent(entry, this.#maskText)
      this.#commits.addUnhurried(writeUnknown(intent, intent.shape, STOPPED))
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
      // An empty batch is a sign of life; others would take open calls for abandoned without it.
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
