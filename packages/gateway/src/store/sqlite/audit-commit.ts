import { close, closeSync, fdatasync, openSync, realpathSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'

export const BUSY = 5
const RETRY_MS = 10
/** The longest wait for the lock. Calls wait meanwhile, and after this time an error is better. */
const MAX_BUSY_MS = 2000

const syncFile = promisify(fdatasync)

interface AsyncCommitsDeps {
  /** The time to wait for another process that is writing. */
  readonly busyMs: number
  /** Moves the log into the database file durably; throws if that is not possible at the moment. */
  readonly checkpoint: () => void
}

/**
 * Commits that are durable when the promise resolves, without blocking the thread on the disk or on another process's
 * lock. SQLite writes a commit to the log (`-wal`) and, with `synchronous = full`, waits until the disk has it; this
 * connection does not wait, and the log is synced asynchronously instead.
 */
export class AsyncCommits {
  readonly #log: string
  readonly #deps: AsyncCommitsDeps
  #descriptor: number | undefined
  #isInDoubt = false

  constructor(file: string, deps: AsyncCommitsDeps) {
    // SQLite puts the log beside the real file, even if the database is opened through links.
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

  /** The log can stay open, because SQLite does not delete it while the database is open. */
  async #sync(): Promise<void> {
    try {
      this.#descriptor ??= openSync(this.#log, 'r+')
      await syncFile(this.#descriptor)
    } catch (error) {
      this.#isInDoubt = true
      throw error
    }
    // An earlier commit in the log may have failed in the meantime.
    if (this.#isInDoubt) throw new Error('the database log could not be synced')
  }

  /**
   * Moves the log into the file after a failed sync: a later successful sync would prove nothing about earlier writes.
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
