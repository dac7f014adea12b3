import { describe, expect, it } from 'vitest'
import { Gate } from './gate.ts'

const ignore = (): void => {}

describe('the line in front of a server', () => {
  it('lets some run, some wait, and turns the rest away', async () => {
    const gate = new Gate(1, 1)
    expect(gate.enter(ignore)).toBe('granted')
    const waiting = gate.enter(ignore)
    expect(gate.enter(ignore)).toBe('full')
    gate.leave()
    expect(await waiting).toBe('granted')
  })

  it('lets somebody who gave up waiting go, and the next one move up', async () => {
    const gate = new Gate(1, 2)
    void gate.enter(ignore)
    let giveUp = ignore
    const first = gate.enter(cancel => {
      giveUp = cancel
    })
    const second = gate.enter(ignore)
    giveUp()
    expect(await first).toBe('cancelled')
    gate.leave()
    expect(await second).toBe('granted')
  })

  it('has room again when all have left', () => {
    const gate = new Gate(2, 0)
    void gate.enter(ignore)
    void gate.enter(ignore)
    gate.leave()
    gate.leave()
    expect([gate.enter(ignore), gate.enter(ignore), gate.enter(ignore)]).toEqual([
      'granted',
      'granted',
      'full',
    ])
  })
})
