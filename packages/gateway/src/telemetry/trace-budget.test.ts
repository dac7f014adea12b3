import { expect, it } from 'vitest'
import { TraceBudget } from './trace-budget.ts'

it('a budget lets so many calls a second through, and saves nothing up', () => {
  const budget = new TraceBudget(10)
  const count = (from: number, to: number, each: number): number => {
    let taken = 0
    for (let now = from; now < to; now += each) if (budget.take(now)) taken += 1
    return taken
  }
  expect(count(0, 1000, 1)).toBe(19) // ten at once, and what comes in meanwhile
  expect(count(1000, 2000, 1)).toBe(10)
  // After a quiet minute there is no more to spend than after a quiet second.
  expect(count(62_000, 62_100, 1)).toBe(10)
  expect(count(63_100, 64_100, 200)).toBe(5)
})

it('a large budget is not spent all at once', () => {
  const budget = new TraceBudget(100)
  const taken = Array.from({ length: 200 }, () => budget.take(1000)).filter(Boolean)
  expect(taken).toHaveLength(25)
})

it('a clock that goes back takes nothing away', () => {
  const budget = new TraceBudget(2)
  expect([budget.take(5000), budget.take(1000), budget.take(1000)]).toEqual([true, true, false])
  expect(budget.take(1500)).toBe(true)
})
