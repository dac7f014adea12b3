import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Pace } from './pace.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** Simulates a server that announces a change every few milliseconds. Returns how often it is asked for its list. */
function storm(costMs: number, forMs: number): number {
  const pace = new Pace()
  let asked = 0
  const ask = (): void => {
    asked += 1
    pace.rest('s', costMs, ask)
  }
  ask()
  for (let at = 0; at < forMs; at += 6) {
    pace.postpone('s')
    vi.advanceTimersByTime(6)
  }
  return asked
}

describe('the pace at which a server is asked', () => {
  it('falls from twice a second to once in four seconds for a server that always announces changes', () => {
    expect(storm(1, 400)).toBe(1)
    expect(storm(1, 600)).toBe(2)
    expect(storm(1, 10_000)).toBe(7)
    expect(storm(1, 60_000)).toBe(19)
  })

  it('uses at most a twentieth of the time for a server that is expensive to judge', () => {
    expect(storm(400, 60_000)).toBeLessThanOrEqual(11)
  })

  it('is slower from the first change on for an expensive server', () => {
    expect(storm(400, 3000)).toBe(4)
    expect(storm(1000, 4900)).toBe(1)
    expect(storm(1000, 5100)).toBe(2)
  })

  it('never delays a change for long', () => {
    expect(storm(60_000, 120_000)).toBeGreaterThanOrEqual(6)
  })

  it('recovers after a pause, and does not ask a server without changes', () => {
    const pace = new Pace()
    const asked = vi.fn()
    pace.rest('s', 400, asked)
    pace.postpone('s')
    vi.advanceTimersByTime(500)
    expect(asked).toHaveBeenCalledTimes(1)
    pace.rest('s', 400, asked)
    vi.advanceTimersByTime(8000)
    expect([asked.mock.calls.length, pace.isResting('s')]).toEqual([1, false])
    pace.rest('s', 400, asked)
    pace.postpone('s')
    vi.advanceTimersByTime(500)
    expect(asked).toHaveBeenCalledTimes(2)
  })
})
