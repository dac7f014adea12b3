import { describe, expect, it } from 'vitest'
import { EventLog } from './event-log.ts'

describe('the events of a stream', () => {
  it('can be replayed from a given event onwards, for that stream only', () => {
    const log = new EventLog()
    const first = log.add('a', 'one')
    log.add('b', 'other')
    const second = log.add('a', 'two')
    expect(log.after(first)).toEqual({ stream: 'a', events: [[second, 'two']] })
    expect(log.after(second)).toEqual({ stream: 'a', events: [] })
  })

  it('are not replayed if they have no data', () => {
    const log = new EventLog()
    const primed = log.add('a', '')
    log.add('a', '')
    expect(log.after(primed)?.events).toEqual([])
  })

  it('are dropped, oldest first, once the log is too large', () => {
    const log = new EventLog()
    const first = log.add('a', 'x')
    for (let i = 0; i < 600; i++) log.add('a', 'y')
    expect(log.after(first)?.events).toHaveLength(500)
    const big = new EventLog()
    const start = big.add('a', 'x')
    for (let i = 0; i < 10; i++) big.add('a', 'z'.repeat(300_000))
    expect(big.after(start)?.events.length).toBeLessThan(5)
  })

  it.each(['', 'nonsense', '_1', 'a_x', 'a_'])('are not found by the id %j', id => {
    const log = new EventLog()
    log.add('a', 'one')
    expect(log.after(id)?.events ?? []).toEqual(id === 'a_' ? [['a_1', 'one']] : [])
  })
})
