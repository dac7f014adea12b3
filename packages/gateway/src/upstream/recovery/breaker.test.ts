import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Failure } from '../channel/channel.ts'
import { Breaker } from './breaker.ts'

const failure = (): Failure => ({ kind: 'unavailable', detail: 'the server is gone', notSent: false })

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function create(probe: () => Promise<boolean> = async () => true) {
  const told: string[] = []
  const probed = vi.fn(probe)
  const breaker = new Breaker({
    probe: probed,
    onOpen: ({ detail }) => told.push(`open: ${detail}`),
    onClosed: () => told.push('closed'),
  })
  const fail = (times: number) => {
    for (let time = 0; time < times; time++) breaker.fail(failure())
  }
  const succeed = (times: number) => {
    for (let time = 0; time < times; time++) breaker.succeed()
  }
  return { breaker, told, probed, fail, succeed }
}

describe('the breaker', () => {
  it('opens when most of the last requests failed, and not before', () => {
    const { breaker, told, fail } = create()
    fail(4)
    expect(breaker.isOpen).toBe(false)
    fail(1)
    expect(breaker.isOpen).toBe(true)
    expect(told).toEqual(['open: the server is gone'])
  })

  it('probes the server first if only the requests of one of several callers failed', async () => {
    let isHealthy = true
    const { breaker, told, probed } = create(async () => isHealthy)
    const failOf = async (culprit: string) => {
      for (let time = 0; time < 5; time++) breaker.fail(failure(), culprit)
      await vi.advanceTimersByTimeAsync(0)
    }
    for (let round = 0; round < 20; round++) await failOf('agent:greedy')
    expect(breaker.isOpen).toBe(false)
    expect(told).toEqual([])
    expect(probed).toHaveBeenCalledTimes(20)
    isHealthy = false
    await failOf('agent:greedy')
    expect(breaker.isOpen).toBe(true)
  })

  it('probes once, however much fails meanwhile', async () => {
    const { breaker, probed } = create(() => new Promise(() => {}))
    for (let time = 0; time < 50; time++) breaker.fail(failure(), 'agent:greedy')
    expect(probed).toHaveBeenCalledTimes(1)
    expect(breaker.isOpen).toBe(false)
  })

  it('opens immediately if requests of several callers failed', () => {
    const { breaker, probed } = create()
    for (let time = 0; time < 5; time++) breaker.fail(failure(), `agent:${time % 2}`)
    expect(breaker.isOpen).toBe(true)
    expect(probed).not.toHaveBeenCalled()
  })

  it('does not open if it is stopped during a probe', async () => {
    const slowly = () => new Promise<boolean>(resolve => setTimeout(() => resolve(false), 1000))
    const { breaker, told } = create(slowly)
    for (let time = 0; time < 5; time++) breaker.fail(failure(), 'agent:greedy')
    breaker.stop()
    await vi.advanceTimersByTimeAsync(10_000)
    expect(told).toEqual([])
  })

  it('does not open while half of the requests succeed', () => {
    const { breaker, fail, succeed } = create()
    for (let round = 0; round < 50; round++) {
      succeed(1)
      fail(1)
      succeed(1)
    }
    expect(breaker.isOpen).toBe(false)
  })

  it('counts calls that are lost together as one failure', () => {
    const { breaker } = create()
    const together = failure()
    for (let call = 0; call < 100; call++) breaker.fail(together)
    expect(breaker.isOpen).toBe(false)
  })

  it('reports when it tries again', async () => {
    const { breaker, fail } = create(async () => false)
    fail(5)
    const { retryInMs = 0, notSent } = breaker.refuse()
    expect(notSent).toBe(true)
    expect(retryInMs).toBeGreaterThanOrEqual(500)
    expect(retryInMs).toBeLessThanOrEqual(1000)
  })

  it('probes after longer and longer pauses, and closes at the first answer', async () => {
    let isHealthy = false
    const { breaker, told, probed, fail } = create(async () => isHealthy)
    fail(5)
    await vi.advanceTimersByTimeAsync(1000)
    expect(probed).toHaveBeenCalledTimes(1)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(probed.mock.calls.length).toBeLessThan(9)
    expect(breaker.isOpen).toBe(true)
    expect(breaker.refuse().retryInMs).toBeLessThanOrEqual(30_000)
    isHealthy = true
    await vi.advanceTimersByTimeAsync(30_000)
    expect(breaker.isOpen).toBe(false)
    expect(told.at(-1)).toBe('closed')
  })

  it('counts a probe that throws as a failure', async () => {
    const { breaker, fail } = create(() => Promise.reject(new Error('it does not start')))
    fail(5)
    await vi.advanceTimersByTimeAsync(1000)
    expect(breaker.isOpen).toBe(true)
  })

  it('waits longer if it opens again soon, but not if the server was healthy in between', async () => {
    const { breaker, fail, succeed } = create()
    fail(5)
    await vi.advanceTimersByTimeAsync(1000)
    fail(5)
    expect(breaker.refuse().retryInMs).toBeGreaterThanOrEqual(1000)
    await vi.advanceTimersByTimeAsync(2000)
    succeed(20)
    fail(5)
    expect(breaker.refuse().retryInMs).toBeLessThanOrEqual(1000)
  })

  it('sends no probe once it is stopped', async () => {
    const { breaker, probed, fail } = create()
    fail(5)
    breaker.stop()
    await vi.advanceTimersByTimeAsync(10_000)
    expect(probed).not.toHaveBeenCalled()
  })
})
