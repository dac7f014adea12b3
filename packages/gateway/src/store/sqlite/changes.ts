import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import { translateError } from './sqlite-errors.ts'

/** Reports changes: immediately those of this process, and through `data_version` those of other processes. */
export interface Changes {
  readonly version: () => number
  readonly onChange: (listener: () => void) => () => void
  /** Call this after every write of this process. */
  readonly note: () => void
  readonly close: () => void
}

const POLL_MS = 200

export function watchChanges(database: DatabaseSyncInstance, file: string): Changes {
  // SQLite changes this value if and only if another connection has committed. Reading it takes 4 µs.
  const written = prepareNumber(database, 'pragma data_version')
  // Most commits are irrelevant to listeners; triggers count the relevant ones.
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
    // In this order, a commit in between is noticed; at worst, it is checked once more without effect.
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
      // An error is ignored here; the next request for the version reports it.
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
      // Each listener gets its own wrapper, so that the same function can be added twice.
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
