import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, vi } from 'vitest'
import type { AuditContent } from '../store/audit-log/shape.ts'
import { GroupCommit } from './group-commit.ts'
import { exampleEntry } from './test-support/example-entry.ts'
import { writeIntent } from './write-row.ts'

const row = (request: string): AuditContent => writeIntent(exampleEntry(request), text => text)
const FULL = new Error('disk full')

function create({ out = 0 } = {}) {
  const batches: string[][] = []
  const faults: unknown[] = []
  let failure: Error | undefined
  let gate: Promise<void> | undefined
  const commits = new GroupCommit({
    write: async rows => {
      await gate
      if (failure !== undefined) throw failure
      batches.push(rows.map(({ request }) => request))
    },
    countInProgress: () => out,
    onError: error => faults.push(error),
  })
  return {
    commits,
    batches,
    faults,
    break: (error: Error | undefined): void => {
      failure = error
    },
    /** Keeps writes from finishing until the returned function is called. */
    hold: () => {
      const { promise, resolve } = defer()
      gate = promise
      return resolve
    },
  }
}

function defer() {
  let resolve: () => void = () => {}
  const promise = new Promise<void>(done => (resolve = done))
  return { promise, resolve }
}

describe('rows that wait for a commit', () => {
  it('are acknowledged after the commit, not before', async () => {
    const { commits, batches, hold } = create()
    const release = hold()
    let isDone = false
    const added = commits.addDurable(row('a')).then(() => (isDone = true))
    await sleep(30)
    expect([isDone, batches]).toEqual([false, []])
    release()
    await added
    expect(batches).toEqual([['a']])
  })

  it('share a commit if they arrive in the same turn or during another commit', async () => {
    const { commits, batches, hold } = create()
    const release = hold()
    const first = [commits.addDurable(row('a')), commits.addDurable(row('b'))]
    await sleep(5)
    const second = ['c', 'd', 'e'].map(name => commits.addDurable(row(name)))
    release()
    await Promise.all([...first, ...second])
    expect(batches).toEqual([
      ['a', 'b'],
      ['c', 'd', 'e'],
    ])
  })

  it('wait briefly if others are expected, with an upper limit', async () => {
    const { commits, batches } = create({ out: 3 })
    const start = performance.now()
    const first = commits.addDurable(row('a'))
    await new Promise(setImmediate)
    expect(batches).toEqual([])
    await Promise.all([first, commits.addDurable(row('b')), commits.addDurable(row('c'))])
    expect(batches).toEqual([['a', 'b', 'c']])
    await commits.addDurable(row('d'))
    expect(performance.now() - start).toBeLessThan(5000)
  })

  it.each([
    ['while more arrive', [1], 4, ['a', 'b']],
    ['up to a maximum', [1, 1, 1, 1, 1], 6, ['a', 'b', 'c', 'd', 'e', 'f']],
    ['only briefly if none arrives', [], 2, ['a']],
  ])('wait for others %s', async (_, pauses, until, expected) => {
    vi.useFakeTimers()
    try {
      const { commits, batches } = create({ out: 100 })
      void commits.addDurable(row('a'))
      let now = 0
      for (const [index, pause] of pauses.entries()) {
        await vi.advanceTimersByTimeAsync(pause)
        now += pause
        void commits.addDurable(row('bcdef'[index] ?? ''))
      }
      await vi.advanceTimersByTimeAsync(until - now - 1)
      expect(batches).toEqual([])
      await vi.advanceTimersByTimeAsync(1)
      expect(batches).toEqual([expected])
    } finally {
      vi.useRealTimers()
    }
  })

  it('are written within 50 ms if no call waits for them, and with the next urgent row', async () => {
    const { commits, batches } = create()
    commits.addDeferred(row('a'))
    await new Promise(setImmediate)
    expect(batches).toEqual([])
    await commits.addDurable(row('b'))
    expect(batches).toEqual([['a', 'b']])
    commits.addDeferred(row('c'))
    await expect.poll(() => batches, { interval: 5 }).toEqual([['a', 'b'], ['c']])
  })

  it('are all written when flush resolves', async () => {
    const { commits, batches } = create()
    for (let index = 0; index < 1200; index++) commits.addDeferred(row(`r${index}`))
    await commits.flush()
    expect(batches.flat()).toHaveLength(1200)
  })
})

describe('rows that cannot be written', () => {
  it('fail if they are required to be durable, and are retried otherwise', async () => {
    const { commits, batches, faults, break: fail } = create()
    fail(FULL)
    const intent = commits.addDurable(row('intent'))
    const outcome = commits.addKept(row('outcome'))
    commits.addDeferred(row('read'))
    expect(await intent).toBe(FULL)
    await outcome
    expect(commits.failure).toBe(FULL)
    await expect(commits.flush()).rejects.toBe(FULL)
    expect(faults).toEqual([FULL])
    fail(undefined)
    await commits.flush()
    expect(commits.failure).toBeUndefined()
    expect(batches).toEqual([['outcome', 'read']])
  })

  it('are retried without a new row', async () => {
    const { commits, batches, break: fail } = create()
    fail(FULL)
    await commits.addKept(row('outcome'))
    fail(undefined)
    await sleep(400)
    expect(batches).toEqual([['outcome']])
  })

  it('fail for all waiting calls of several batches, and none of them is lost', async () => {
    const { commits, batches, break: fail } = create()
    fail(FULL)
    for (let index = 0; index < 1000; index++) commits.addDeferred(row(`r${index}`))
    expect(await commits.addDurable(row('intent'))).toBe(FULL)
    fail(undefined)
    await commits.flush()
    expect(batches.flat()).toHaveLength(1000)
  })

  it('are followed by the next intent, which shows that writing works again', async () => {
    const { commits, break: fail } = create()
    fail(FULL)
    expect(await commits.addDurable(row('a'))).toBe(FULL)
    expect(await commits.addDurable(row('b'))).toBe(FULL)
    fail(undefined)
    await commits.addDurable(row('c'))
    expect(commits.failure).toBeUndefined()
  })

  it('are kept up to a limit, and the number beyond it is reported', async () => {
    const { commits, batches, faults, break: fail } = create()
    fail(FULL)
    expect(await commits.addDurable(row('a'))).toBe(FULL)
    for (let index = 0; index < 10_007; index++) commits.addDeferred(row(`r${index}`))
    fail(undefined)
    await commits.flush()
    expect(faults.map(String)).toEqual([
      String(FULL),
      expect.stringContaining('7 audit log rows were dropped'),
    ])
    expect(batches.flat()).toHaveLength(10_000)
    expect(batches.flat()[0]).toBe('r0')
  })
})
