import { describe, expect, it } from 'vitest'
import { collectGarbage } from '../base/collect-garbage.ts'
import { LongWork } from './long-work.ts'

const round = (): Promise<void> => new Promise(resolve => setImmediate(resolve))

function spend(ms: number): void {
  const until = performance.now() + ms
  while (performance.now() < until);
}

const MB = 1024 * 1024
const NEVER_CALLED_OFF = { onCancel: () => {} }

/** Queues a long answer for a caller, who can cancel it. */
function behind(caller: string) {
  const listeners: (() => void)[] = []
  return {
    take: (work: LongWork, bytes: number) =>
      work.turnForAnswer(caller, { onCancel: listener => void listeners.push(listener) }, bytes),
    leave: () => {
      for (const listener of listeners) listener()
    },
  }
}

const takeAnswer = (work: LongWork, caller: string, bytes: number) => behind(caller).take(work, bytes)

describe('long work', () => {
  it('of a single caller runs immediately', () => {
    const done: string[] = []
    new LongWork().take('a', () => done.push('a1'))
    expect(done).toEqual(['a1'])
  })

  it('alternates between callers, even if one of them sent more', async () => {
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

  it('leaves a round of the event loop to others between two pieces, and after a long piece as much time as it took', async () => {
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
    // Timers can fire a millisecond early.
    expect(second - first).toBeGreaterThanOrEqual(38)
  })

  it('continues after a piece fails', async () => {
    const work = new LongWork()
    const fail = (): unknown =>
      work.take('a', () => {
        throw new Error('ours')
      })
    expect(fail).toThrow('ours')
    await work.turn('a', NEVER_CALLED_OFF)
  })

  it('counts the work that a turn starts', async () => {
    const work = new LongWork()
    const order: string[] = []
    const own = work.turn('a', NEVER_CALLED_OFF).then(() => {
      spend(10)
      order.push('own')
    })
    const next = work.turn('b', NEVER_CALLED_OFF).then(() => order.push('next'))
    await round()
    await round()
    expect(order).toEqual(['own'])
    await Promise.all([own, next])
  })

  it('is skipped when it is cancelled in the queue', async () => {
    const [work, done] = [new LongWork(), [] as string[]]
    const take = (name: string) => work.take(name.slice(0, 1), () => done.push(name))
    expect(take('a1')).toBeUndefined()
    const [a2, , b1] = ['a2', 'a3', 'b1', 'c1'].map(take)
    a2?.()
    b1?.()
    b1?.()
    await work.turn('c', NEVER_CALLED_OFF)
    expect(done).toEqual(['a1', 'a3', 'c1'])
  })

  it('keeps no memory after it is cancelled', () => {
    const work = new LongWork()
    work.take('a', () => {})
    const text = (() => {
      const long = { text: 'long' }
      work.take('a', () => void long.text)?.()
      return new WeakRef(long)
    })()
    work.take('a', () => {})
    return round().then(() => {
      collectGarbage()
      expect(text.deref()).toBeUndefined()
    })
  })

  it('reports a cancellation to a caller that waits for a turn', async () => {
    const work = new LongWork()
    work.take('a', () => {})
    let cancel = (): void => {}
    const turn = work.turn('a', { onCancel: listener => (cancel = listener) })
    cancel()
    expect(await turn).toBe(false)
    expect(await work.turn('a', NEVER_CALLED_OFF)).toBe(true)
  })
})

describe('long answers', () => {
  it('are processed one after the other, callers in turn', async () => {
    const work = new LongWork()
    const order: string[] = []
    const take = async (id: string) => {
      await takeAnswer(work, id, MB)
      order.push(id)
    }
    await Promise.all([take('a'), take('a'), take('a'), take('b')])
    expect(order).toEqual(['a', 'a', 'b', 'a'])
  })

  it('do not delay short answers and empty ones', () => {
    const work = new LongWork()
    expect(takeAnswer(work, 'a', MB)).toBeInstanceOf(Promise)
    expect(takeAnswer(work, 'a', 1000)).toBeUndefined()
    expect(takeAnswer(work, 'a', 0)).toBeUndefined()
  })

  it('skip the queue if waiting ones would use too much memory, but only for that caller', async () => {
    const work = new LongWork()
    const waiting = [20, 12].map(async size => takeAnswer(work, 'a', size * MB))
    expect(takeAnswer(work, 'a', MB)).toBeUndefined()
    expect(takeAnswer(work, 'b', MB)).toBeInstanceOf(Promise)
    await Promise.all(waiting)
    expect(takeAnswer(work, 'a', 20 * MB)).toBeInstanceOf(Promise)
  })

  it('leave the queue when they are cancelled', async () => {
    const work = new LongWork()
    const first = takeAnswer(work, 'a', MB)
    const gone = behind('a')
    const second = gone.take(work, 31 * MB)
    gone.leave()
    expect(await second).toBe(false)
    expect(await first).toBe(true)
    expect(takeAnswer(work, 'a', 32 * MB)).toBeInstanceOf(Promise)
  })
})
