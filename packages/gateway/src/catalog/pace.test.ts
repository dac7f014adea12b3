import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Pace } from './pace.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** A server that announces a change every few milliseconds, and is asked as its pace allows. */
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
  it('is twice a second at first and every four seconds in the end, however often it announces changes', () => {
    expect(storm(1, 400)).toBe(1)
    expect(storm(1, 600)).toBe(2)
    expect(storm(1, 10_000)).toBe(7)
    expect(storm(1, 60_000)).toBe(19)
  })

  it('leaves nineteen of twenty parts of the time to others when its tools take long to be judged', () => {
    expect(storm(400, 60_000)).toBeLessThanOrEqual(11)
  })

  it('is slower from the first change on where that takes long', () => {
    expect(storm(400, 3000)).toBe(4)
    expect(storm(1000, 4900)).toBe(1)
    expect(storm(1000, 5100)).toBe(2)
  })

  it('is never so slow that a change stays unseen for long', () => {
    expect(storm(60_000, 120_000)).toBeGreaterThanOrEqual(6)
  })

  it('is quick again for who has calmed down, and asks nobody who said nothing', () => {
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
