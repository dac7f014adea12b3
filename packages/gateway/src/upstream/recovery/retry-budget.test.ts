import { describe, expect, it } from 'vitest'
import { RetryBudget } from './retry-budget.ts'

function budget(share = 0.2) {
  const clock = { now: 0 }
  return { clock, budget: new RetryBudget(share, () => clock.now) }
}

const count = (times: number, of: () => boolean): number =>
  Array.from({ length: times }, of).filter(Boolean).length

describe('the retry budget', () => {
  it('starts with a few retries, and then grows by a share of the calls', () => {
    const { budget: own } = budget()
    expect(count(100, () => own.withdraw(0))).toBe(10)
    let calls = 0
    const granted = count(1000, () => {
      calls += 1
      return own.withdraw(calls)
    })
    expect(granted).toBeGreaterThanOrEqual(199)
    expect(granted).toBeLessThanOrEqual(200)
  })

  it('never saves more than it started with', () => {
    const { budget: own } = budget()
    expect(count(100, () => own.withdraw(10_000))).toBe(10)
  })

  it('grows slowly for a server with few calls', () => {
    const { budget: own, clock } = budget(0)
    count(100, () => own.withdraw(0))
    clock.now = 9000
    expect(own.withdraw(0)).toBe(false)
    clock.now = 21_000
    expect(count(10, () => own.withdraw(0))).toBe(2)
  })
})
