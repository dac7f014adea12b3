import type { Client } from 'pg'

/** Reports changes: those of this process at once, those of other replicas by notification or polling. */
export interface Changes {
  readonly version: () => number
  readonly onChange: (listener: () => void) => () => void
  /** Await this after every write of this process. */
  readonly note: () => Promise<void>
  readonly close: () => Promise<void>
}

interface ChangesOptions {
  readonly connect: () => Promise<Client>
  /** The counter in the database, read over another connection. */
  readonly count: () => Promise<number>
  readonly beatMs?: number
}

/**
 * A number that increases with the change counter in the database. PostgreSQL notifies us of changes (NOTIFY), and we
 * also poll in case a notification is lost. While the connection is down, anything may have changed: the number then
 * increases with every poll, so that readers query the database, or fail.
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
 * The polling interval. After two more polls without an answer, within a second, cached data is no longer trusted.
 */
const BEAT_MS = 300
const TRUSTED_BEATS = 2
/** A connection that does not answer for this long is closed. */
const PATIENCE_MS = 5000
/** Backoff, so that many replicas do not all connect at once to a database that is starting. */
const FIRST_WAIT_MS = 100
const MAX_WAIT_MS = 2000

/** Keeps a connection that receives notifications, polls on it, and reconnects when it is lost. */
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
    // A wrapper, so that the same function can be added twice.
    const own = () => callback()
    this.#listeners.add(own)
    return () => void this.#listeners.delete(own)
  }

  readonly note = async (): Promise<void> => {
    try {
      this.#learn(await this.#options.count())
    } catch {
      // The write succeeded; only other changes are unknown now.
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
    // Read after LISTEN: earlier changes are in this counter, later ones are notified.
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
    // Listeners are not called now, because they could not read anything; they are called after reconnecting.
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

  /** Only this connection may be down, so listeners still need to hear of changes. */
  async #beatAlone(): Promise<void> {
    try {
      this.#learn(await this.#options.count())
      if (performance.now() >= this.#nextTryAt) await this.#reconnect()
    } catch {
      // The next poll tries again.
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

/** Fails after a timeout: a connection that does not answer is as good as none. */
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
