import { describe, expect, it } from 'vitest'
import { Gate, type Visitor } from './gate.ts'

const visitor = (): Visitor => ({ leaveLine: undefined })

describe('the line in front of a server', () => {
  it('lets some run, some wait, and turns the rest away', async () => {
    const gate = new Gate(1, 1)
    expect(gate.enter(visitor())).toBe('granted')
    const waiting = gate.enter(visitor())
    expect(gate.enter(visitor())).toBe('full')
    gate.leave()
    expect(await waiting).toBe('granted')
  })

  it('lets somebody who gave up waiting go, and the next one move up', async () => {
    const gate = new Gate(1, 2)
    void gate.enter(visitor())
    const impatient = visitor()
    const first = gate.enter(impatient)
    const second = gate.enter(visitor())
    impatient.leaveLine?.()
    expect(await first).toBe('cancelled')
    gate.leave()
    expect(await second).toBe('granted')
  })

  it('has room again when all have left', () => {
    const gate = new Gate(2, 0)
    void gate.enter(visitor())
    void gate.enter(visitor())
    gate.leave()
    gate.leave()
    expect([gate.enter(visitor()), gate.enter(visitor()), gate.enter(visitor())]).toEqual([
      'granted',
      'granted',
      'full',
    ])
  })
})
