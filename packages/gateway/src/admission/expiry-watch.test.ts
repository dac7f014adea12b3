import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { ExpiryWatch } from './expiry-watch.ts'

const DAY = 24 * 60 * 60_000

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('ends what is open for longer than a timer can wait', () => {
  const destroy = vi.fn()
  const expiresAt = Date.now() + 60 * DAY
  const watch = new ExpiryWatch(() => [{ res: { destroy }, principal: { expiresAt }, phase: 'stream' }])
  watch.note(expiresAt)
  vi.advanceTimersByTime(60 * DAY - 1)
  expect(destroy).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  expect(destroy).toHaveBeenCalledOnce()
  expect(vi.getTimerCount()).toBe(0)
})
