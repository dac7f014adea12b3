import { setTimeout as pause } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { keepPace } from './pace.ts'

it('a pace starts what is due while others are still under way, and waits for all of them', async () => {
  let [most, now, started] = [0, 0, 0]
  const leftOut = await keepPace({ perSecond: 100, atOnce: 1000, ms: 400 }, async () => {
    started += 1
    most = Math.max(most, ++now)
    await pause(200)
    now -= 1
  })
  expect(most).toBeGreaterThan(2)
  expect({ now, leftOut }).toEqual({ now: 0, leftOut: 0 })
  expect(started).toBeOneOf([40, 41])
})

it('a pace leaves out what is due while too many are under way', async () => {
  let started = 0
  const leftOut = await keepPace({ perSecond: 100, atOnce: 3, ms: 300 }, async () => {
    started += 1
    await pause(600)
  })
  expect(started).toBe(3)
  expect(leftOut).toBeGreaterThan(0)
})
