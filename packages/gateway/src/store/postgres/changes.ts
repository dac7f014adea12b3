import type { Client } from 'pg'
import { Listener } from './listener.ts'

/** Notices changes by anybody: our own at once, those of other replicas by a notification, or by looking. */
export interface Changes {
  readonly version: () => number
  readonly onChange: (listener: () => void) => () => void
  /** To be awaited after every write of our own. */
  readonly note: () => Promise<void>
  readonly close: () => Promise<void>
}

interface ChangesOptions {
  /** A new connection, to listen on. */
  readonly connect: () => Promise<Client>
  /** What the database has counted, asked over another connection. */
  readonly count: () => Promise<number>
  readonly beatMs?: number
}

/**
 * A number that grows when the counter of the database has grown, which PostgreSQL tells us (NOTIFY), and which we look
 * at all the time in case it does not. While nobody can tell, anything may have changed: then the number grows with
 * every beat, and whoever goes by it asks the database, or fails to.
 */
export async function watchChanges(
  client: Client,
  { connect, count, beatMs }: ChangesOptions,
): Promise<Changes> {
  const listeners = new Set<() => void>()
  let version = 1
  let known = 0

  function grow(): void {
    version += 1
    for (const listener of listeners) listener()
  }

  function learn(counted: number): void {
    if (counted <= known) return
    known = counted
    grow()
  }

  const listener = new Listener({
    connect,
    count,
    beatMs,
    onCount: learn,
    onListening(counted) {
      known = counted
      grow()
    },
    // Nobody is called: whoever would look now could not, and will be when we listen again.
    onSilence: () => (version += 1),
  })

  async function close(): Promise<void> {
    listeners.clear()
    await listener.close()
  }

  try {
    await listener.listen(client)
  } catch (error) {
    await close()
    throw error
  }
  return {
    version: () => version,
    onChange(callback) {
      // A listener of its own, so that the same function may be given twice.
      const own = () => callback()
      listeners.add(own)
      return () => void listeners.delete(own)
    },
    async note() {
      try {
        learn(await count())
      } catch {
        // It is written; only what else was is unknown now.
        grow()
      }
    },
    close,
  }
}
