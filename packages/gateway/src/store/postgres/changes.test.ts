import { EventEmitter } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from 'pg'
import { afterEach, describe, expect, it } from 'vitest'
import { type Changes, watchChanges } from './changes.ts'

const BEAT = 20

/** A fake connection that either answers with the database's counter or does not answer. */
class FakeConnection extends EventEmitter {
  isSilent = false
  readonly #count: () => number

  constructor(count: () => number) {
    super()
    this.#count = count
  }

  query(): Promise<{ rows: { version: number }[] }> {
    return this.isSilent ? new Promise(() => {}) : Promise.resolve({ rows: [{ version: this.#count() }] })
  }

  async end(): Promise<void> {}
}

const feeds: Changes[] = []
afterEach(async () => {
  for (const feed of feeds.splice(0)) await feed.close()
})

async function openFeed() {
  const database = { counted: 1, isThere: true }
  const lines: FakeConnection[] = []
  const connect = async (): Promise<Client> => {
    if (!database.isThere) throw new Error('not connected')
    const line = new FakeConnection(() => database.counted)
    lines.push(line)
    return line as unknown as Client
  }
  const count = async (): Promise<number> => {
    if (!database.isThere) throw new Error('not connected')
    return database.counted
  }
  const feed = await watchChanges(await connect(), { connect, count, beatMs: BEAT })
  feeds.push(feed)
  return { database, lines, feed }
}

describe('changes', () => {
  it('are noticed through a notification, without polling', async () => {
    const { lines, feed } = await openFeed()
    const before = feed.version()
    lines[0]?.emit('notification', { payload: '2' })
    expect(feed.version()).toBeGreaterThan(before)
  })

  it('are noticed by polling if no notification arrives', async () => {
    const { database, feed } = await openFeed()
    const before = feed.version()
    let calls = 0
    feed.onChange(() => (calls += 1))
    await sleep(5 * BEAT)
    expect(feed.version()).toBe(before)
    database.counted = 2
    await sleep(5 * BEAT)
    expect([feed.version() > before, calls]).toEqual([true, 1])
  })

  it('are announced once, however many notifications arrive', async () => {
    const { database, lines, feed } = await openFeed()
    let calls = 0
    feed.onChange(() => (calls += 1))
    database.counted = 3
    await feed.note()
    lines[0]?.emit('notification', { payload: '3' })
    lines[0]?.emit('notification', { payload: '2' })
    await sleep(3 * BEAT)
    expect(calls).toBe(1)
  })

  it('are assumed while disconnected, and announced to all listeners after reconnecting', async () => {
    const { database, lines, feed } = await openFeed()
    let calls = 0
    feed.onChange(() => (calls += 1))
    database.isThere = false
    lines[0]?.emit('end')
    const versions = new Set<number>()
    for (let round = 0; round < 5; round++) {
      await sleep(2 * BEAT)
      versions.add(feed.version())
    }
    expect([versions.size, calls]).toEqual([5, 0])
    database.isThere = true
    await sleep(400)
    expect(lines).toHaveLength(2)
    expect(calls).toBe(1)
    const steady = feed.version()
    await sleep(5 * BEAT)
    expect(feed.version()).toBe(steady)
  })

  it('are assumed while the connection does not answer', async () => {
    const { lines, feed } = await openFeed()
    const [line] = lines
    if (line !== undefined) line.isSilent = true
    await sleep(5 * BEAT)
    const before = feed.version()
    await sleep(3 * BEAT)
    expect(feed.version()).toBeGreaterThan(before)
  })

  it('of this process are known immediately, even while disconnected', async () => {
    const { database, feed } = await openFeed()
    const before = feed.version()
    database.isThere = false
    await feed.note()
    expect(feed.version()).toBeGreaterThan(before)
  })

  it('are no longer reported when the feed is closed', async () => {
    const { database, lines, feed } = await openFeed()
    let calls = 0
    feed.onChange(() => (calls += 1))
    await feed.close()
    database.counted = 9
    lines[0]?.emit('end')
    await sleep(5 * BEAT)
    expect([calls, lines.length]).toEqual([0, 1])
  })
})
