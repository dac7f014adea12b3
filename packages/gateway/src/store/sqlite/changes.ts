import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import { translateError } from './sqlite-errors.ts'

/**
 * Reports changes to the store: this process's own immediately, those of other processes through SQLite's
 * `data_version`.
 */
export interface Changes {
  readonly version: () => number
  readonly onChange: (listener: () => void) => () => void
  /** Must be called after every write by this process. */
  readonly note: () => void
  readonly close: () => void
}

const POLL_MS = 200

export function watchChanges(database: DatabaseSyncInstance, file: string): Changes {
  // SQLite changes `data_version` if and only if another connection has committed. Reading it takes 4 µs.
  const written = prepareNumber(database, 'pragma data_version')
  // Most commits do not concern listeners. Triggers count those that do.
  const counted = prepareNumber(database, 'select version from changes')
  const listeners = new Set<() => void>()
  let seen = read(written)
  let version = read(counted)
  let announced = version
  let timer: NodeJS.Timeout | undefined

  function read(number: () => number): number {
    try {
      return number()
    } catch (error) {
      throw translateError(error, file)
    }
  }

  function current(): number {
    const found = read(written)
    // `data_version` is read first, so a commit between the two reads is noticed. At worst, the counter is read once
    // more than necessary.
    if (found !== seen) version = read(counted)
    seen = found
    return version
  }

  function announce(): void {
    const now = current()
    if (now === announced) return
    announced = now
    for (const listener of listeners) listener()
  }

  function poll(): void {
    try {
      announce()
    } catch {
      // The error is ignored here, because the next request for the version reports it.
    }
  }

  function stop(): void {
    clearInterval(timer)
    timer = undefined
  }

  return {
    version: current,
    note() {
      version = read(counted)
      announce()
    },
    onChange(listener) {
      // Wraps the listener, so that the same function can be added and removed twice.
      const own = () => listener()
      if (listeners.size === 0) announced = current()
      listeners.add(own)
      timer ??= setInterval(poll, POLL_MS).unref()
      return () => {
        listeners.delete(own)
        if (listeners.size === 0) stop()
      }
    },
    close() {
      listeners.clear()
      stop()
    },
  }
}

function prepareNumber(database: DatabaseSyncInstance, sql: string): () => number {
  const statement = database.prepare(sql)
  statement.setReturnArrays(true)
  return () => (statement.get() as [number])[0]
}
