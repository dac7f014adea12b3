import { close, closeSync, fdatasync, openSync, realpathSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'

export const BUSY = 5
const RETRY_MS = 10
/** Calls wait meanwhile: whoever finds the database locked for longer is better told so. */
const MAX_BUSY_MS = 2000

const syncFile = promisify(fdatasync)

interface PatientDeps {
  /** How long to wait for another process that is writing. */
  readonly busyMs: number
  /** Moves everything out of the log into the file, durably; throws when that cannot be done now. */
  readonly leaveLog: () => void
}

/**
 * Commits that are durable when the promise resolves, without keeping the thread waiting: neither for the disk nor for
 * somebody else's lock. SQLite writes a commit to the log (`-wal`) and would then wait until the disk has it, which is
 * what `synchronous = full` means; on a connection that is open for this it does not wait, and the log is synced beside
 * the event loop instead.
 */
export class PatientCommits {
  readonly #log: string
  readonly #deps: PatientDeps
  #descriptor: number | undefined
  #isInDoubt = false

  constructor(file: string, deps: PatientDeps) {
    // SQLite has it beside the file itself, wherever links lead there.
    this.#log = `${realpathSync(file)}-wal`
    this.#deps = deps
  }

  async run<T>(work: () => T): Promise<T> {
    const until = Date.now() + Math.min(this.#deps.busyMs, MAX_BUSY_MS)
    for (;;) {
      try {
        if (this.#isInDoubt) this.#leaveLog()
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

  /** As long as we have the database open nobody removes its log, so it can stay open, too. */
  async #sync(): Promise<void> {
    try {
      this.#descriptor ??= openSync(this.#log, 'r+')
      await syncFile(this.#descriptor)
    } catch (error) {
      this.#isInDoubt = true
      throw error
    }
    // Somebody else's may have failed meanwhile, and stands before ours in the log.
    if (this.#isInDoubt) throw new Error('the log of the database could not be synced')
  }

  /** After a sync that failed the next one says nothing about what was written before it: none of it may be built on. */
  #leaveLog(): void {
    this.#deps.leaveLog()
    if (this.#descriptor !== undefined) closeSync(this.#descriptor)
    this.#descriptor = undefined
    this.#isInDoubt = false
  }
}

function isBusy(error: unknown): boolean {
  const { errcode } = error as { errcode?: unknown }
  return typeof errcode === 'number' && (errcode & 0xff) === BUSY
}
