import { describe, expect, it } from 'vitest'
import { Gate, type Turn, type Visitor } from './gate.ts'

const visitor = (): Visitor => ({ leaveLine: undefined, line: undefined, isInside: false, hasLeft: false })

/** Comes to the gate for somebody, with all the time in the world unless told otherwise. */
function come(gate: Gate, caller = 'ann', patienceMs = 0) {
  const who = visitor()
  return { who, turn: gate.enter(who, caller, patienceMs) }
}

/** Whose turns came, in the order in which they did. */
function inOrder(turns: readonly (readonly [name: string, turn: Promise<Turn> | Turn])[]): string[] {
  const names: string[] = []
  for (const [name, turn] of turns)
    void Promise.resolve(turn).then(given => given === 'granted' && names.push(name))
  return names
}

const settled = () => new Promise(resolve => setImmediate(resolve))

describe('the line in front of a server', () => {
  it('lets some run, some wait, and turns the rest away', async () => {
    const gate = new Gate(1, 1)
    const first = come(gate)
    expect(first.turn).toBe('granted')
    const waiting = come(gate)
    expect(come(gate).turn).toBe('full')
    gate.leave(first.who)
    expect(await waiting.turn).toBe('granted')
  })

  it('lets somebody who gave up waiting go, and the next one move up', async () => {
    const gate = new Gate(1, 2)
    const first = come(gate)
    const [impatient, second] = [come(gate), come(gate)]
    impatient.who.leaveLine?.()
    expect(await impatient.turn).toBe('cancelled')
    gate.leave(first.who)
    expect(await second.turn).toBe('granted')
  })

  it('has room again when all have left', () => {
    const gate = new Gate(2, 0)
    const [first, second] = [come(gate), come(gate)]
    gate.leave(first.who)
    gate.leave(second.who)
    expect([come(gate).turn, come(gate).turn, come(gate).turn]).toEqual(['granted', 'granted', 'full'])
  })

  it('is left by whoever waited too long', async () => {
    const gate = new Gate(1, 2)
    come(gate)
    expect(await come(gate, 'ann', 20).turn).toBe('late')
    expect(gate.load).toEqual({ running: 1, waiting: 0 })
  })
})

describe('callers at the same gate', () => {
  it('are not forgotten while one of theirs rests, and have no more places when it goes on', () => {
    const gate = new Gate(8, 100)
    const resting = Array.from({ length: 6 }, () => come(gate))
    for (const { who } of resting) gate.rest(who)
    for (let count = 0; count < 100; count += 1) gate.leave(come(gate, `goes ${count}`).who)
    const more = Array.from({ length: 6 }, () => come(gate).turn)
    expect(more.filter(turn => turn === 'granted')).toHaveLength(6)
    for (const { who } of resting) void gate.resume(who)
    expect(gate.load.running).toBe(6)
    expect(come(gate, 'bob').turn).toBe('granted')
  })

  it('are forgotten soon after they left, and not before', () => {
    const gate = new Gate(1000, 0)
    const staying = Array.from({ length: 40 }, (_, count) => come(gate, `stays ${count}`))
    for (let count = 0; count < 1000; count += 1) gate.leave(come(gate, `goes ${count}`).who)
    expect(gate.callers).toBeLessThan(100)
    for (const { who } of staying) gate.leave(who)
    for (let count = 0; count < 1000; count += 1) gate.leave(come(gate, `goes ${count}`).who)
    expect(gate.callers).toBeLessThanOrEqual(80)
    expect(gate.load).toEqual({ running: 0, waiting: 0 })
  })

  it('take turns, however many calls one of them has', async () => {
    const gate = new Gate(1, 10)
    const running = come(gate)
    const waiting = ['ann 1', 'ann 2', 'ann 3', 'bob 1', 'cid 1', 'bob 2'].map(name => {
      const { who, turn } = come(gate, name.split(' ')[0])
      return { name, who, turn }
    })
    const names = inOrder(waiting.map(({ name, turn }) => [name, turn]))
    gate.leave(running.who)
    for (const _ of waiting) {
      await settled()
      const last = waiting.find(({ name }) => name === names.at(-1))
      if (last !== undefined) gate.leave(last.who)
    }
    expect(names).toEqual(['ann 1', 'bob 1', 'cid 1', 'ann 2', 'bob 2', 'ann 3'])
  })

  it('leave a quarter of the places and of the line to the others', () => {
    const gate = new Gate(8, 8)
    const turns = Array.from({ length: 20 }, () => come(gate).turn)
    expect(turns.filter(turn => turn === 'granted')).toHaveLength(6)
    expect(turns.filter(turn => turn instanceof Promise)).toHaveLength(6)
    expect(come(gate, 'bob').turn).toBe('granted')
  })

  it('have no more than half of the places while others wait', async () => {
    const gate = new Gate(4, 20)
    const anns = [come(gate), come(gate), come(gate)]
    const bob = come(gate, 'bob')
    const more = [come(gate), come(gate), come(gate, 'bob'), come(gate, 'bob')]
    const names = inOrder(more.map(({ turn }, at) => [at < 2 ? 'ann' : 'bob', turn]))
    if (anns[0] !== undefined) gate.leave(anns[0].who)
    await settled()
    expect([names, gate.load.running]).toEqual([['bob'], 4])
    expect(bob.turn).toBe('granted')
  })
})

describe('who waits for a person', () => {
  it('has no place meanwhile, and waits for one before the others of the same caller', async () => {
    const gate = new Gate(1, 5)
    const asking = come(gate)
    const [next, last] = [come(gate), come(gate)]
    gate.rest(asking.who)
    expect(await next.turn).toBe('granted')
    const again = gate.resume(asking.who)
    const names = inOrder([
      ['last', last.turn],
      ['again', again],
    ])
    gate.leave(next.who)
    await settled()
    expect(names).toEqual(['again'])
    gate.leave(asking.who)
    await settled()
    expect([names, gate.load]).toEqual([['again', 'last'], { running: 1, waiting: 0 }])
  })

  it('and is called off meanwhile takes nothing any more', async () => {
    const gate = new Gate(1, 5)
    const asking = come(gate)
    gate.rest(asking.who)
    gate.leave(asking.who)
    expect(await gate.resume(asking.who)).toBe('cancelled')
    const other = come(gate, 'bob')
    const back = come(gate)
    gate.rest(other.who)
    expect(await back.turn).toBe('granted')
    const again = gate.resume(other.who)
    gate.leave(other.who)
    expect(await again).toBe('cancelled')
    expect(gate.load).toEqual({ running: 1, waiting: 0 })
  })

  it('and is asked again while it stands in line takes one place, and gives that back', async () => {
    const gate = new Gate(1, 5)
    const asking = come(gate)
    gate.rest(asking.who)
    const other = come(gate, 'bob')
    const back = gate.resume(asking.who)
    gate.rest(asking.who)
    expect(gate.resume(asking.who)).toBe('cancelled')
    gate.leave(other.who)
    expect(await back).toBe('granted')
    gate.leave(asking.who)
    expect(gate.load).toEqual({ running: 0, waiting: 0 })
    expect(come(gate, 'eve').turn).toBe('granted')
  })
})

describe('a call that was called off', () => {
  it('leaves its place at once, and the next one of the same caller keeps its own until the server is done', async () => {
    const gate = new Gate(1, 2)
    const done = gate.leaveBehind(come(gate).who)
    const second = come(gate)
    expect(second.turn).toBe('granted')
    const secondDone = gate.leaveBehind(second.who)
    const third = come(gate, 'bob')
    expect(gate.load).toEqual({ running: 1, waiting: 1 })
    secondDone()
    expect(await third.turn).toBe('granted')
    gate.leave(third.who)
    done()
    gate.leaveBehind(come(gate).who)
    expect(gate.load).toEqual({ running: 0, waiting: 0 })
  })

  it('is counted however many callers come and go meanwhile', () => {
    const gate = new Gate(4, 4)
    gate.leaveBehind(come(gate).who)
    for (let at = 0; at < 100; at += 1) gate.leave(come(gate, `caller ${at}`).who)
    gate.leaveBehind(come(gate).who)
    expect(gate.load.running).toBe(1)
  })
})
