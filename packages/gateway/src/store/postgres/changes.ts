import type { Client } from 'pg'

/** Notices changes by anybody: our own at once, those of other replicas by a notification, or by looking. */
export interface Changes {
  readonly version: () => number
  readonly onChange: (listener: () => void) => () => void
  /** To be awaited after every write of our own. */
  readonly note: () => Promise<void>
  readonly close: () => Promise<void>
}

interface ChangesOptions {
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

/** How often we look. After two more beats without an answer, within a second, nobody trusts what they know. */
const BEAT_MS = 300
const TRUSTED_BEATS = 2
/** So long a connection may say nothing until it is given up. */
const PATIENCE_MS = 5000
/** Many replicas must not all knock at once, again and again, at a database that is just coming up. */
const FIRST_WAIT_MS = 100
const MAX_WAIT_MS = 2000

/** Has a connection that is told of changes, looks for them itself all the time, and makes it anew when it is lost. */
class Watch implements Changes {
  readonly #options: ChangesOptions
  readonly #listeners = new Set<() => void>()
  readonly #timer: NodeJS.Timeout
  #version = 1
  /** What the database had counted when we heard of it last. */
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
    // A listener of its own, so that the same function may be given twice.
    const own = () => callback()
    this.#listeners.add(own)
    return () => void this.#listeners.delete(own)
  }

  readonly note = async (): Promise<void> => {
    try {
      this.#learn(await this.#options.count())
    } catch {
      // It is written; only what else was is unknown now.
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
    // Only now: what is counted before we listen is seen here, what is counted after it is told.
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
    // Nobody is called: whoever would look now could not, and will be when we listen again.
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

  /** It may be only us who are cut off, and those who go by changes want to hear of them. */
  async #beatAlone(): Promise<void> {
    try {
      this.#learn(await this.#options.count())
      if (performance.now() >= this.#nextTryAt) await this.#reconnect()
    } catch {
      // The next beat tries again.
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

/** A connection that says nothing is as good as none. */
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
