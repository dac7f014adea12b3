import { close, closeSync, fdatasync, openSync, realpathSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'

export const BUSY = 5
const RETRY_MS = 10
/**
 * The longest wait for the database lock. Calls wait for it too, and a longer wait would be worse for them than an
 * error.
 */
const MAX_BUSY_MS = 2000

const syncFile = promisify(fdatasync)

interface AsyncCommitsDeps {
  /** How long to wait while another process is writing. */
  readonly busyMs: number
  /** Moves the log's content into the database file durably. Throws if that is not possible at the moment. */
  readonly checkpoint: () => void
}

/**
 * Commits that are durable when their promise resolves, but do not block the thread on the disk or on another process's
 * lock. With `synchronous = full`, SQLite itself would wait until the write-ahead log (`-wal`) is on disk. This
 * connection does not wait; it syncs the log asynchronously instead.
 */
export class AsyncCommits {
  readonly #log: string
  readonly #deps: AsyncCommitsDeps
  #descriptor: number | undefined
  #isInDoubt = false

  constructor(file: string, deps: AsyncCommitsDeps) {
    // SQLite puts the log next to the real file, even if the database is opened through a symbolic link.
    this.#log = `${realpathSync(file)}-wal`
    this.#deps = deps
  }

  async run<T>(work: () => T): Promise<T> {
    const until = Date.now() + Math.min(this.#deps.busyMs, MAX_BUSY_MS)
    for (;;) {
      try {
        if (this.#isInDoubt) this.#checkpoint()
        const result = work()
        await this.#sync()
        return result
      } catch (error) {
        if (!isBusy(error) || Date.now() >= until) throw error
        await sleep(RETRY_MS)
      }
    }
  }

  async close(): Promise<void> {
    if (this.#descriptor !== undefined) await promisify(close)(this.#descriptor)
    this.#descriptor = undefined
  }

  /** The log file can stay open, because SQLite does not delete it while the database is open. */
  async #sync(): Promise<void> {
    try {
      this.#descriptor ??= openSync(this.#log, 'r+')
      await syncFile(this.#descriptor)
    } catch (error) {
      this.#isInDoubt = true
      throw error
    }
    // The sync of an earlier commit may have failed in the meantime.
    if (this.#isInDoubt) throw new Error('the database log could not be synced')
  }

  /**
   * Moves the log's content into the database file after a sync failed. A later successful sync would not prove that
   * earlier writes reached the disk.
   */
  #checkpoint(): void {
    this.#deps.checkpoint()
    if (this.#descriptor !== undefined) closeSync(this.#descriptor)
    this.#descriptor = undefined
    this.#isInDoubt = false
  }
}

function isBusy(error: unknown): boolean {
  const { errcode } = error as { errcode?: unknown }
  return typeof errcode === 'number' && (errcode & 0xff) === BUSY
}
