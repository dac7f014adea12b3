import { describe, expect, it, vi } from 'vitest'
import { FairQueue, Ticket, type Turn } from './fair-queue.ts'

const queueOf = (slots: number, waiting: number) => new FairQueue({ slots, waiting })

/** Requests a slot for a caller; by default without a time limit. */
function request(queue: FairQueue, caller = 'ann', patienceMs = 0) {
  const ticket = new Ticket()
  return { ticket, turn: queue.enter(ticket, caller, patienceMs) }
}

/** Returns the names of the callers that got a slot, in order. */
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
    const first = request(queue)
    expect(first.turn).toBe('granted')
    const waiting = request(queue)
    expect(request(queue).turn).toBe('full')
    queue.release(first.ticket)
    expect(await waiting.turn).toBe('granted')
  })

  it('lets the next call move up when a waiting one is cancelled', async () => {
    const queue = queueOf(1, 2)
    const first = request(queue)
    const [impatient, second] = [request(queue), request(queue)]
    impatient.ticket.leaveQueue?.()
    expect(await impatient.turn).toBe('cancelled')
    queue.release(first.ticket)
    expect(await second.turn).toBe('granted')
  })

  it('has space again when all calls have ended', () => {
    const queue = queueOf(2, 0)
    const [first, second] = [request(queue), request(queue)]
    queue.release(first.ticket)
    queue.release(second.ticket)
    expect([request(queue).turn, request(queue).turn, request(queue).turn]).toEqual([
      'granted',
      'granted',
      'full',
    ])
  })

  it('drops a call that waited too long', async () => {
    const queue = queueOf(1, 2)
    request(queue)
    expect(await request(queue, 'ann', 20).turn).toBe('late')
    expect(queue.load).toEqual({ running: 1, waiting: 0 })
  })
})

describe('callers in the same queue', () => {
  it('are remembered while one of their calls is paused, and get no extra slots when it resumes', () => {
    const queue = queueOf(8, 100)
    const resting = Array.from({ length: 6 }, () => request(queue))
    for (const { ticket } of resting) queue.pause(ticket)
    for (let count = 0; count < 100; count += 1) queue.release(request(queue, `goes ${count}`).ticket)
    const more = Array.from({ length: 6 }, () => request(queue).turn)
    expect(more.filter(turn => turn === 'granted')).toHaveLength(6)
    for (const { ticket } of resting) void queue.resume(ticket)
    expect(queue.load.running).toBe(6)
    expect(request(queue, 'bob').turn).toBe('granted')
  })

  it('are forgotten soon after their last call, and not before', () => {
    const queue = queueOf(1000, 0)
    const staying = Array.from({ length: 40 }, (_, count) => request(queue, `stays ${count}`))
    for (let count = 0; count < 1000; count += 1) queue.release(request(queue, `goes ${count}`).ticket)
    expect(queue.callers).toBeLessThan(100)
    for (const { ticket } of staying) queue.release(ticket)
    for (let count = 0; count < 1000; count += 1) queue.release(request(queue, `goes ${count}`).ticket)
    expect(queue.callers).toBeLessThanOrEqual(80)
    expect(queue.load).toEqual({ running: 0, waiting: 0 })
  })

  it('take turns, however many calls one of them has', async () => {
    const queue = queueOf(1, 10)
    const running = request(queue)
    const waiting = ['ann 1', 'ann 2', 'ann 3', 'bob 1', 'cid 1', 'bob 2'].map(name => {
      const { ticket, turn } = request(queue, name.split(' ')[0])
      return { name, ticket, turn }
    })
    const names = inOrder(waiting.map(({ name, turn }) => [name, turn]))
    queue.release(running.ticket)
    for (const _ of waiting) {
      await settled()
      const last = waiting.find(({ name }) => name === names.at(-1))
      if (last !== undefined) queue.release(last.ticket)
    }
    expect(names).toEqual(['ann 1', 'bob 1', 'cid 1', 'ann 2', 'bob 2', 'ann 3'])
  })

  it('leave a quarter of the slots and of the queue to the others', () => {
    const queue = queueOf(8, 8)
    const turns = Array.from({ length: 20 }, () => request(queue).turn)
    expect(turns.filter(turn => turn === 'granted')).toHaveLength(6)
    expect(turns.filter(turn => turn instanceof Promise)).toHaveLength(6)
    expect(request(queue, 'bob').turn).toBe('granted')
  })

  it('have at most half of the slots while others wait', async () => {
    const queue = queueOf(4, 20)
    const anns = [request(queue), request(queue), request(queue)]
    const bob = request(queue, 'bob')
    const more = [request(queue), request(queue), request(queue, 'bob'), request(queue, 'bob')]
    const names = inOrder(more.map(({ turn }, at) => [at < 2 ? 'ann' : 'bob', turn]))
    if (anns[0] !== undefined) queue.release(anns[0].ticket)
    await settled()
    expect([names, queue.load.running]).toEqual([['bob'], 4])
    expect(bob.turn).toBe('granted')
  })
})

describe('a call that waits for a person', () => {
  it('holds no slot while it waits, and then gets one before other calls of its caller', async () => {
    const queue = queueOf(1, 5)
    const asking = request(queue)
    const [next, last] = [request(queue), request(queue)]
    queue.pause(asking.ticket)
    expect(await next.turn).toBe('granted')
    const again = queue.resume(asking.ticket)
    const names = inOrder([
      ['last', last.turn],
      ['again', again],
    ])
    queue.release(next.ticket)
    await settled()
    expect(names).toEqual(['again'])
    queue.release(asking.ticket)
    await settled()
    expect([names, queue.load]).toEqual([['again', 'last'], { running: 1, waiting: 0 }])
  })

  it('takes no slot if it was cancelled while it waited', async () => {
    const queue = queueOf(1, 5)
    const asking = request(queue)
    queue.pause(asking.ticket)
    queue.release(asking.ticket)
    expect(await queue.resume(asking.ticket)).toBe('cancelled')
    const other = request(queue, 'bob')
    const back = request(queue)
    queue.pause(other.ticket)
    expect(await back.turn).toBe('granted')
    const again = queue.resume(other.ticket)
    queue.release(other.ticket)
    expect(await again).toBe('cancelled')
    expect(queue.load).toEqual({ running: 1, waiting: 0 })
  })

  it('takes and releases one slot when it resumes twice while queued', async () => {
    const queue = queueOf(1, 5)
    const asking = request(queue)
    queue.pause(asking.ticket)
    const other = request(queue, 'bob')
    const back = queue.resume(asking.ticket)
    queue.pause(asking.ticket)
    expect(queue.resume(asking.ticket)).toBe('cancelled')
    queue.release(other.ticket)
    expect(await back).toBe('granted')
    queue.release(asking.ticket)
    expect(queue.load).toEqual({ running: 0, waiting: 0 })
    expect(request(queue, 'eve').turn).toBe('granted')
  })
})

describe('a cancelled call', () => {
  it('releases its slot immediately, while the next cancelled call of the same caller keeps its own until the server is done', async () => {
    const queue = queueOf(1, 2)
    const done = queue.abandon(request(queue).ticket)
    const second = request(queue)
    expect(second.turn).toBe('granted')
    const secondDone = queue.abandon(second.ticket)
    const third = request(queue, 'bob')
    expect(queue.load).toEqual({ running: 1, waiting: 1 })
    secondDone()
    expect(await third.turn).toBe('granted')
    queue.release(third.ticket)
    done()
    queue.abandon(request(queue).ticket)
    expect(queue.load).toEqual({ running: 0, waiting: 0 })
  })

  it('keeps its slot for five seconds when the server stops without a reply', async () => {
    vi.useFakeTimers()
    try {
      const queue = queueOf(1, 2)
      queue.abandon(request(queue).ticket)
      const done = queue.abandon(request(queue).ticket)
      const next = request(queue)
      await vi.advanceTimersByTimeAsync(4900)
      expect(queue.load).toEqual({ running: 1, waiting: 1 })
      await vi.advanceTimersByTimeAsync(200)
      expect(await next.turn).toBe('granted')
      // A later reply from the server changes nothing.
      done()
      queue.release(next.ticket)
      expect(queue.load).toEqual({ running: 0, waiting: 0 })
      await vi.advanceTimersByTimeAsync(200)
      expect(vi.getTimerCount()).toBe(0)
    } finally {
      vi.useRealTimers()
    }
  })

  it('is still counted after many other callers came and went', () => {
    const queue = queueOf(4, 4)
    queue.abandon(request(queue).ticket)
    for (let at = 0; at < 100; at += 1) queue.release(request(queue, `caller ${at}`).ticket)
    queue.abandon(request(queue).ticket)
    expect(queue.load.running).toBe(1)
  })
})

describe('a call that runs alone', () => {
  const requestAlone = (queue: FairQueue) => {
    const ticket = Object.assign(new Ticket(), { isAlone: true })
    return { ticket, turn: queue.enter(ticket, 'ann') }
  }

  it('waits for the other calls of its caller, and they wait for it, in order of arrival', async () => {
    const queue = queueOf(Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY)
    const first = request(queue)
    const alone = requestAlone(queue)
    const after = request(queue)
    expect([first.turn, request(queue, 'bob').turn]).toEqual(['granted', 'granted'])
    expect(queue.load).toEqual({ running: 2, waiting: 2 })
    queue.release(first.ticket)
    expect(await alone.turn).toBe('granted')
    expect(queue.load).toEqual({ running: 2, waiting: 1 })
    queue.release(alone.ticket)
    expect(await after.turn).toBe('granted')
  })

  it('blocks no other call after it was cancelled', async () => {
    const queue = queueOf(Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY)
    request(queue)
    const alone = requestAlone(queue)
    const after = request(queue)
    alone.ticket.stopWaiting()
    expect([await alone.turn, await after.turn]).toEqual(['cancelled', 'granted'])
    expect(queue.enter(alone.ticket, 'ann')).toBe('cancelled')
  })
})
