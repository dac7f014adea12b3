import type { Client } from 'pg'

interface ListenerOptions {
  /** A new connection, to listen on. */
  readonly connect: () => Promise<Client>
  /** What the database has counted, asked over another connection. */
  readonly count: () => Promise<number>
  /** The database has counted so many changes. */
  readonly onCount: (counted: number) => void
  /** From now on everything is heard; what was missed before is in this number. */
  readonly onListening: (counted: number) => void
  /** Nobody can say whether anything has changed. */
  readonly onSilence: () => void
  readonly beatMs?: number | undefined
}

/** How often we look. After two more beats without an answer, within a second, nobody trusts what they know. */
const BEAT_MS = 300
const TRUSTED_BEATS = 2
/** So long a connection may say nothing until it is given up. */
const PATIENCE_MS = 5000
/** Many replicas must not all knock at once, again and again, at a database that is just coming up. */
const FIRST_WAIT_MS = 100
const MAX_WAIT_MS = 2000

/** A connection that is told of changes, looks for them itself all the time, and is made anew when it is lost. */
export class Listener {
  readonly #options: ListenerOptions
  readonly #timer: NodeJS.Timeout
  #client: Client | undefined
  #failures = 0
  #nextTryAt = 0
  #isBeating = false
  #silentBeats = 0
  #isClosed = false

  constructor(options: ListenerOptions) {
    this.#options = options
    this.#timer = setInterval(() => void this.#beat(), options.beatMs ?? BEAT_MS).unref()
  }

  async listen(client: Client): Promise<void> {
    this.#client = client
    client.on('notification', ({ payload }) => this.#options.onCount(Number(payload)))
    client.on('end', () => this.#lose(client))
    client.on('error', () => this.#lose(client))
    await ask(client, 'listen hintgate_changes')
    // Only now: what is counted before we listen is seen here, what is counted after it is told.
    this.#options.onListening(await askCount(client))
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#timer)
    await this.#drop()
  }

  async #beat(): Promise<void> {
    this.#silentBeats = this.#isBeating ? this.#silentBeats + 1 : 0
    if (this.#client === undefined || this.#silentBeats >= TRUSTED_BEATS) this.#options.onSilence()
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
      this.#options.onCount(await askCount(client))
    } catch {
      this.#lose(client)
    }
  }

  /** It may be only us who are cut off, and those who go by changes want to hear of them. */
  async #beatAlone(): Promise<void> {
    try {
      this.#options.onCount(await this.#options.count())
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
    this.#options.onSilence()
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
