import type { Client } from 'pg'

/** Reports changes to the store: this process's own immediately, those of other replicas by notification or polling. */
export interface Changes {
  readonly version: () => number
  readonly onChange: (listener: () => void) => () => void
  /** Reports that this process wrote something. It must be awaited after every write. */
  readonly note: () => Promise<void>
  readonly close: () => Promise<void>
}

interface ChangesOptions {
  readonly connect: () => Promise<Client>
  /** Reads the change counter from the database over another connection. */
  readonly count: () => Promise<number>
  readonly beatMs?: number
}

/**
 * Maintains a number that increases whenever the change counter in the database does. PostgreSQL announces changes with
 * NOTIFY; polling finds changes whose notification was lost. While the connection is down, anything might have changed,
 * so the number increases with every poll, and readers query the database or fail.
 */
export async function watchChanges(client: Client, options: ChangesOptions): Promise<Changes> {
  const watch = new Watch(options)
  try {
    await watch.listen(client)
    return watch
  } catch (error) {
    await watch.close()
    throw error
  }
}

/**
 * The polling interval. If `TRUSTED_BEATS` polls in a row get no answer, cached data is no longer trusted. That takes
 * less than a second.
 */
const BEAT_MS = 300
const TRUSTED_BEATS = 2
/** A connection that does not answer within this time is closed. */
const PATIENCE_MS = 5000
/**
 * The wait before reconnecting, which grows with each failure. It keeps many replicas from connecting all at once to a
 * database that is starting.
 */
const FIRST_WAIT_MS = 100
const MAX_WAIT_MS = 2000

/** Keeps one connection open that receives notifications and is polled, and reconnects when that connection is lost. */
class Watch implements Changes {
  readonly #options: ChangesOptions
  readonly #listeners = new Set<() => void>()
  readonly #timer: NodeJS.Timeout
  #version = 1
  /** The last known value of the counter in the database. */
  #known = 0
  #client: Client | undefined
  #failures = 0
  #nextTryAt = 0
  #isBeating = false
  #silentBeats = 0
  #isClosed = false

  constructor(options: ChangesOptions) {
    this.#options = options
    this.#timer = setInterval(() => void this.#beat(), options.beatMs ?? BEAT_MS).unref()
  }

  readonly version = (): number => this.#version

  readonly onChange = (callback: () => void): (() => void) => {
    // Wraps the listener, so that the same function can be added and removed twice.
    const own = () => callback()
    this.#listeners.add(own)
    return () => void this.#listeners.delete(own)
  }

  readonly note = async (): Promise<void> => {
    try {
      this.#learn(await this.#options.count())
    } catch {
      // The write succeeded. Others may have changed something too, so the version increases anyway.
      this.#grow()
    }
  }

  readonly close = async (): Promise<void> => {
    this.#listeners.clear()
    this.#isClosed = true
    clearInterval(this.#timer)
    await this.#drop()
  }

  async listen(client: Client): Promise<void> {
    this.#client = client
    client.on('notification', ({ payload }) => this.#learn(Number(payload)))
    client.on('end', () => this.#lose(client))
    client.on('error', () => this.#lose(client))
    await ask(client, 'listen hintgate_changes')
    // The counter is read after LISTEN: it includes all earlier changes, and every later change is announced.
    this.#known = await askCount(client)
    this.#grow()
  }

  #grow(): void {
    this.#version += 1
    for (const listener of this.#listeners) listener()
  }

  #learn(counted: number): void {
    if (counted <= this.#known) return
    this.#known = counted
    this.#grow()
  }

  async #beat(): Promise<void> {
    this.#silentBeats = this.#isBeating ? this.#silentBeats + 1 : 0
    // Listeners are not called now, because the database does not answer them. They are called after reconnecting.
    if (this.#client === undefined || this.#silentBeats >= TRUSTED_BEATS) this.#version += 1
    if (this.#isBeating) return
    this.#isBeating = true
    try {
      if (this.#client === undefined) await this.#beatAlone()
      else await this.#beatOn(this.#client)
    } finally {
      this.#isBeating = false
    }
  }

  async #beatOn(client: Client): Promise<void> {
    try {
      this.#learn(await askCount(client))
    } catch {
      this.#lose(client)
    }
  }

  /**
   * Polls over another connection. Perhaps only the listening connection is down, and listeners still need to learn of
   * changes.
   */
  async #beatAlone(): Promise<void> {
    try {
      this.#learn(await this.#options.count())
      if (performance.now() >= this.#nextTryAt) await this.#reconnect()
    } catch {
      // The error is ignored, because the next poll tries again.
    }
  }

  async #reconnect(): Promise<void> {
    this.#failures += 1
    const waitMs = Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** this.#failures)
    this.#nextTryAt = performance.now() + waitMs * (0.5 + Math.random() / 2)
    const client = await this.#options.connect()
    if (this.#isClosed) return client.end()
    try {
      await this.listen(client)
      this.#failures = 0
    } catch {
      this.#lose(client)
    }
  }

  #lose(client: Client): void {
    if (client !== this.#client) return
    void this.#drop()
    this.#version += 1
  }

  async #drop(): Promise<void> {
    const client = this.#client
    this.#client = undefined
    await client?.end().catch(() => {})
  }
}

async function askCount(client: Client): Promise<number> {
  const [row] = await ask<{ version: number }>(client, 'select version from hintgate.changes')
  return row?.version ?? 0
}

/** Runs a query with a timeout, because a lost connection might never answer. */
async function ask<T>(client: Client, question: string): Promise<readonly T[]> {
  let timer: NodeJS.Timeout | undefined
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(reject, PATIENCE_MS, new Error('timeout exceeded: no answer')).unref()
  })
  try {
    return (await Promise.race([client.query(question), silence])).rows as T[]
  } finally {
    clearTimeout(timer)
  }
}
