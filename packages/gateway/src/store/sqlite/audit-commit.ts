import { close, fdatasync, openSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { DatabaseSyncInstance } from '@photostructure/sqlite'

const BUSY = 5
const RETRY_MS = 10
/** Calls wait meanwhile: whoever finds the database locked for longer is better told so. */
const MAX_BUSY_MS = 2000

const syncFile = promisify(fdatasync)

/**
 * Commits that are durable when the promise resolves, without keeping the thread waiting: neither for the disk nor for
 * somebody else's lock. SQLite writes a commit to the log (`-wal`) and would then wait until the disk has it, which is
 * what `synchronous = full` means; here it does not wait, and the log is synced beside the event loop instead.
 */
export class PatientCommits {
  readonly #database: DatabaseSyncInstance
  readonly #log: string
  readonly #busyMs: number
  #descriptor: number | undefined

  constructor(database: DatabaseSyncInstance, file: string) {
    this.#database = database
    this.#log = `${file}-wal`
    this.#busyMs = (database.prepare('pragma busy_timeout').get() as { timeout: number }).timeout
  }

  async run<T>(work: () => T): Promise<T> {
    const until = Date.now() + Math.min(this.#busyMs, MAX_BUSY_MS)
    for (;;) {
      try {
        const result = this.#commit(work)
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

  #commit<T>(work: () => T): T {
    this.#database.exec('pragma synchronous = normal; pragma busy_timeout = 0')
    try {
      return work()
    } finally {
      this.#database.exec(`pragma synchronous = full; pragma busy_timeout = ${this.#busyMs}`)
    }
  }

  /** As long as we have the database open nobody removes its log, so it can stay open, too. */
  async #sync(): Promise<void> {
    this.#descriptor ??= openSync(this.#log, 'r+')
    await syncFile(this.#descriptor)
  }
}

function isBusy(error: unknown): boolean {
  const { errcode } = error as { errcode?: unknown }
  return typeof errcode === 'number' && (errcode & 0xff) === BUSY
}
