import { describe, expect, it, vi } from 'vitest'
import { FairQueue, type Turn, Visitor } from './fair-queue.ts'

const queueOf = (places: number, waiting: number) => new FairQueue({ places, waiting })

/** Requests a slot for a caller; by default without a time limit. */
function come(queue: FairQueue, caller = 'ann', patienceMs = 0) {
  const who = new Visitor()
  return { who, turn: queue.enter(who, caller, patienceMs) }
}

/** The names of those that got a slot, in that order. */
function inOrder(turns: readonly (readonly [name: string, turn: Promise<Turn> | Turn])[]): string[] {
  const names: string[] = []
  for (const [name, turn] of turns)
    void Promise.resolve(turn).then(given => given === 'granted' && names.push(name))
  return names
}

const settled = () => new Promise(resolve => setImmediate(resolve))

describe('the queue in front of a server', () => {
  it('runs some calls, queues some and rejects the rest', async () => {
    const queue = queueOf(1, 1)
    const first = come(queue)
    expect(first.turn).toBe('granted')
    const waiting = come(queue)
    expect(come(queue).turn).toBe('full')
    queue.leave(first.who)
    expect(await waiting.turn).toBe('granted')
  })

  it('lets the next call move up when one is cancelled', async () => {
    const queue = queueOf(1, 2)
    const first = come(queue)
    const [impatient, second] = [come(queue), come(queue)]
    impatient.who.leaveLine?.()
    expect(await impatient.turn).toBe('cancelled')
    queue.leave(first.who)
    expect(await second.turn).toBe('granted')
  })

  it('has space again when all calls have ended', () => {
    const queue = queueOf(2, 0)
    const [first, second] = [come(queue), come(queue)]
    queue.leave(first.who)
    queue.leave(second.who)
    expect([come(queue).turn, come(queue).turn, come(queue).turn]).toEqual(['granted', 'granted', 'full'])
  })

  it('drops a call that waited too long', async () => {
    const queue = queueOf(1, 2)
    come(queue)
    expect(await come(queue, 'ann', 20).turn).toBe('late')
    expect(queue.load).toEqual({ running: 1, waiting: 0 })
  })
})

describe('callers in the same queue', () => {
  it('are remembered while one of their calls is paused, and get no extra slots when it resumes', () => {
    const queue = queueOf(8, 100)
    const resting = Array.from({ length: 6 }, () => come(queue))
    for (const { who } of resting) queue.rest(who)
    for (let count = 0; count < 100; count += 1) queue.leave(come(queue, `goes ${count}`).who)
    const more = Array.from({ length: 6 }, () => come(queue).turn)
    expect(more.filter(turn => turn === 'granted')).toHaveLength(6)
    for (const { who } of resting) void queue.resume(who)
    expect(queue.load.running).toBe(6)
    expect(come(queue, 'bob').turn).toBe('granted')
  })

  it('are forgotten soon after their last call, and not before', () => {
    const queue = queueOf(1000, 0)
    const staying = Array.from({ length: 40 }, (_, count) => come(queue, `stays ${count}`))
    for (let count = 0; count < 1000; count += 1) queue.leave(come(queue, `goes ${count}`).who)
    expect(queue.callers).toBeLessThan(100)
    for (const { who } of staying) queue.leave(who)
    for (let count = 0; count < 1000; count += 1) queue.leave(come(queue, `goes ${count}`).who)
    expect(queue.callers).toBeLessThanOrEqual(80)
    expect(queue.load).toEqual({ running: 0, waiting: 0 })
  })

  it('take turns, however many calls one of them has', async () => {
    const queue = queueOf(1, 10)
    const running = come(queue)
    const waiting = ['ann 1', 'ann 2', 'ann 3', 'bob 1', 'cid 1', 'bob 2'].map(name => {
      const { who, turn } = come(queue, name.split(' ')[0])
      return { name, who, turn }
    })
    const names = inOrder(waiting.map(({ name, turn }) => [name, turn]))
    queue.leave(running.who)
    for (const _ of waiting) {
      await settled()
      const last = waiting.find(({ name }) => name === names.at(-1))
      if (last !== undefined) queue.leave(last.who)
    }
    expect(names).toEqual(['ann 1', 'bob 1', 'cid 1', 'ann 2', 'bob 2', 'ann 3'])
  })

  it('leave a quarter of the slots and of the queue to the others', () => {
    const queue = queueOf(8, 8)
    const turns = Array.from({ length: 20 }, () => come(queue).turn)
    expect(turns.filter(turn => turn === 'granted')).toHaveLength(6)
    expect(turns.filter(turn => turn instanceof Promise)).toHaveLength(6)
    expect(come(queue, 'bob').turn).toBe('granted')
  })

  it('have at most half of the slots while others wait', async () => {
    const queue = queueOf(4, 20)
    const anns = [come(queue), come(queue), come(queue)]
    const bob = come(queue, 'bob')
    const more = [come(queue), come(queue), come(queue, 'bob'), come(queue, 'bob')]
    const names = inOrder(more.map(({ turn }, at) => [at < 2 ? 'ann' : 'bob', turn]))
    if (anns[0] !== undefined) queue.leave(anns[0].who)
    await settled()
    expect([names, queue.load.running]).toEqual([['bob'], 4])
    expect(bob.turn).toBe('granted')
  })
})

describe('a call that waits for a person', () => {
  it('holds no slot meanwhile, and gets one before other calls of its caller', async () => {
    const queue = queueOf(1, 5)
    const asking = come(queue)
    const [next, last] = [come(queue), come(queue)]
    queue.rest(asking.who)
    expect(await next.turn).toBe('granted')
    const again = queue.resume(asking.who)
    const names = inOrder([
      ['last', last.turn],
      ['again', again],
    ])
    queue.leave(next.who)
    await settled()
    expect(names).toEqual(['again'])
    queue.leave(asking.who)
    await settled()
    expect([names, queue.load]).toEqual([['again', 'last'], { running: 1, waiting: 0 }])
  })

  it('takes no slot after it was cancelled meanwhile', async () => {
    const queue = queueOf(1, 5)
    const asking = come(queue)
    queue.rest(asking.who)
    queue.leave(asking.who)
    expect(await queue.resume(asking.who)).toBe('cancelled')
    const other = come(queue, 'bob')
    const back = come(queue)
    queue.rest(other.who)
    expect(await back.turn).toBe('granted')
    const again = queue.resume(other.who)
    queue.leave(other.who)
    expect(await again).toBe('cancelled')
    expect(queue.load).toEqual({ running: 1, waiting: 0 })
  })

  it('takes and releases one slot when it resumes twice while queued', async () => {
    const queue = queueOf(1, 5)
    const asking = come(queue)
    queue.rest(asking.who)
    const other = come(queue, 'bob')
    const back = queue.resume(asking.who)
    queue.rest(asking.who)
    expect(queue.resume(asking.who)).toBe('cancelled')
    queue.leave(other.who)
    expect(await back).toBe('granted')
    queue.leave(asking.who)
    expect(queue.load).toEqual({ running: 0, waiting: 0 })
    expect(come(queue, 'eve').turn).toBe('granted')
  })
})

describe('a cancelled call', () => {
  it('releases its slot at once, while the next cancelled call of the same caller keeps its own until the server is done', async () => {
    const queue = queueOf(1, 2)
    const done = queue.leaveBehind(come(queue).who)
    const second = come(queue)
    expect(second.turn).toBe('granted')
    const secondDone = queue.leaveBehind(second.who)
    const third = come(queue, 'bob')
    expect(queue.load).toEqual({ running: 1, waiting: 1 })
    secondDone()
    expect(await third.turn).toBe('granted')
    queue.leave(third.who)
    done()
    queue.leaveBehind(come(queue).who)
    expect(queue.load).toEqual({ running: 0, waiting: 0 })
  })

  it('keeps its slot for five seconds when the server stops without a reply', async () => {
    vi.useFakeTimers()
    try {
      const queue = queueOf(1, 2)
      queue.leaveBehind(come(queue).who)
      const done = queue.leaveBehind(come(queue).who)
      const next = come(queue)
      await vi.advanceTimersByTimeAsync(4900)
      expect(queue.load).toEqual({ running: 1, waiting: 1 })
      await vi.advanceTimersByTimeAsync(200)
      expect(await next.turn).toBe('granted')
      // A later reply of the server changes nothing.
      done()
      queue.leave(next.who)
      expect(queue.load).toEqual({ running: 0, waiting: 0 })
      await vi.advanceTimersByTimeAsync(200)
      expect(vi.getTimerCount()).toBe(0)
    } finally {
      vi.useRealTimers()
    }
  })

  it('is still counted after many other callers came and went', () => {
    const queue = queueOf(4, 4)
    queue.leaveBehind(come(queue).who)
    for (let at = 0; at < 100; at += 1) queue.leave(come(queue, `caller ${at}`).who)
    queue.leaveBehind(come(queue).who)
    expect(queue.load.running).toBe(1)
  })
})

describe('a call that runs alone', () => {
  const comeAlone = (queue: FairQueue) => {
    const who = Object.assign(new Visitor(), { isAlone: true })
    return { who, turn: queue.enter(who, 'ann') }
  }

  it('waits for the other calls of its caller, and they for it, in order of arrival', async () => {
    const queue = queueOf(Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY)
    const first = come(queue)
    const alone = comeAlone(queue)
    const after = come(queue)
    expect([first.turn, come(queue, 'bob').turn]).toEqual(['granted', 'granted'])
    expect(queue.load).toEqual({ running: 2, waiting: 2 })
    queue.leave(first.who)
    expect(await alone.turn).toBe('granted')
    expect(queue.load).toEqual({ running: 2, waiting: 1 })
    queue.leave(alone.who)
    expect(await after.turn).toBe('granted')
  })

  it('blocks no other call after it was cancelled', async () => {
    const queue = queueOf(Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY)
    come(queue)
    const alone = comeAlone(queue)
    const after = come(queue)
    alone.who.giveUp()
    expect([await alone.turn, await after.turn]).toEqual(['cancelled', 'granted'])
    expect(queue.enter(alone.who, 'ann')).toBe('cancelled')
  })
})
