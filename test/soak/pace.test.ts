import { setTimeout as pause } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { keepPace } from './pace.ts'

it('starts due visits while others are running, and waits for all of them', async () => {
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

it('skips due visits while too many are running', async () => {
  let started = 0
  const leftOut = await keepPace({ perSecond: 100, atOnce: 3, ms: 300 }, async () => {
    started += 1
    await pause(600)
  })
  expect(started).toBe(3)
  expect(leftOut).toBeGreaterThan(0)
})
