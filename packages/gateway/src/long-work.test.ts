import { describe, expect, it } from 'vitest'
import { LongWork } from './long-work.ts'

const round = (): Promise<void> => new Promise(resolve => setImmediate(resolve))

function spend(ms: number): void {
  const until = performance.now() + ms
  while (performance.now() < until);
}

describe('long work', () => {
  it('of who comes alone is done at once', () => {
    const done: string[] = []
    new LongWork().take('a', () => done.push('a1'))
    expect(done).toEqual(['a1'])
  })

  it('is done caller by caller, whoever sent more', async () => {
    const [work, done] = [new LongWork(), [] as string[]]
    await new Promise<void>(resolve => {
      for (const name of ['a1', 'a2', 'a3', 'a4', 'b1', 'c1', 'b2'])
        work.take(name.slice(0, 1), () => {
          done.push(name)
          if (done.length === 7) resolve()
        })
    })
    expect(done).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4'])
  })

  it('leaves rounds to others between two pieces, and as much time as a long one took', async () => {
    const work = new LongWork()
    const begunAt: number[] = []
    let rounds = 0
    const done = new Promise<void>(resolve => {
      for (let piece = 0; piece < 3; piece++)
        work.take('a', () => {
          begunAt.push(performance.now())
          spend(20)
          if (piece === 2) resolve()
        })
    })
    let isDone = false
    void done.then(() => (isDone = true))
    while (!isDone) {
      await round()
      rounds += 1
    }
    expect(rounds).toBeGreaterThan(10)
    const [first = 0, second = 0] = begunAt
    // Timers may be a millisecond early.
    expect(second - first).toBeGreaterThanOrEqual(38)
  })

  it('goes on after work that fails', async () => {
    const work = new LongWork()
    const fail = (): void =>
      work.take('a', () => {
        throw new Error('ours')
      })
    expect(fail).toThrow('ours')
    await work.turn('a')
  })

  it('counts what a turn sets off', async () => {
    const work = new LongWork()
    const order: string[] = []
    const own = work.turn('a').then(() => {
      spend(10)
      order.push('own')
    })
    const next = work.turn('b').then(() => order.push('next'))
    await round()
    await round()
    expect(order).toEqual(['own'])
    await Promise.all([own, next])
  })
})
