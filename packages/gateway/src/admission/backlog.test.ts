import { expect, it } from 'vitest'
import { Backlog } from './backlog.ts'

it('limits the number of items and their total length', () => {
  const backlog = new Backlog({ count: 3, length: 100 })
  expect([backlog.take(40), backlog.take(40), backlog.take(40)]).toEqual([true, true, false])
  expect([backlog.take(1), backlog.take(1)]).toEqual([true, false])
  backlog.leave(40)
  expect([backlog.take(40), backlog.take(0)]).toEqual([true, false])
})

it('accepts a single item of any length', () => {
  const backlog = new Backlog({ count: 3, length: 100 })
  expect([backlog.take(1000), backlog.take(0)]).toEqual([true, false])
  backlog.leave(1000)
  expect(backlog.take(1000)).toBe(true)
})
