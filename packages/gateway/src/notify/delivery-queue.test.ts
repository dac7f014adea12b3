import { describe, expect, it } from 'vitest'
import { DeliveryQueue, type Job, type JobEnd, MOST_WAITING } from './delivery-queue.ts'
import { DeliveryError } from './message/channel.ts'

const RETRY = { attempts: 3, delayMs: 2, maxDelayMs: 4 }

function open(retry = RETRY, now: () => number = Date.now) {
  const errors: unknown[] = []
  let retries = 0
  const queue = new DeliveryQueue({
    retry,
    now,
    random: () => 0,
    onError: error => errors.push(error),
    onRetry: () => {
      retries += 1
    },
  })
  return { queue, errors, retries: () => retries }
}

/** Creates a job, and a promise that resolves when the job ends. */
function jobOf(send: Job['send'], until = Number.POSITIVE_INFINITY) {
  const waits: number[] = []
  let isReleased = false
  let settle: (end: JobEnd) => void = () => {}
  const ended = new Promise<JobEnd>(resolve => {
    settle = resolve
  })
  const job: Job = {
    until,
    send,
    onWait: async at => void waits.push(at),
    onEnd: async end => settle(end),
    onRelease: async () => {
      isReleased = true
    },
  }
  return { job, ended, waits, isReleased: () => isReleased }
}

const refuse = (error: DeliveryError) => async (): Promise<boolean> => {
  throw error
}

describe('the queue of a channel', () => {
  it('repeats a message until it is accepted', async () => {
    const { queue, retries, errors } = open()
    const { job, ended } = jobOf(async attempt => {
      if (attempt < 3) throw new DeliveryError('HTTP 503')
      return true
    })
    expect(queue.add(job)).toBe(true)
    expect(await ended).toEqual({ state: 'sent', attempts: 3 })
    expect([retries(), errors]).toEqual([2, []])
  })

  it('gives up after the last attempt, immediately if the refusal is final, and when the approval has ended', async () => {
    const { queue } = open()
    const tired = jobOf(refuse(new DeliveryError('HTTP 503')))
    const final = jobOf(refuse(new DeliveryError('HTTP 403', { isFinal: true })))
    const over = jobOf(refuse(new DeliveryError('HTTP 503')), Date.now() - 1)
    for (const { job } of [tired, final, over]) queue.add(job)
    expect(await tired.ended).toEqual({ state: 'failed', attempts: 3, error: 'HTTP 503' })
    expect(await final.ended).toMatchObject({ attempts: 1, error: 'HTTP 403' })
    expect(await over.ended).toMatchObject({ attempts: 1 })
  })

  it('waits longer each time, up to the maximum, and as long as the receiver asks for', async () => {
    const { queue } = open({ attempts: 4, delayMs: 3, maxDelayMs: 10 }, () => 1000)
    const slow = jobOf(refuse(new DeliveryError('HTTP 503')))
    const told = jobOf(async attempt => {
      if (attempt === 1) throw new DeliveryError('HTTP 429', { retryAfterMs: 9 })
      return true
    })
    for (const { job } of [slow, told]) queue.add(job)
    await Promise.all([slow.ended, told.ended])
    expect(slow.waits).toEqual([1002, 1003, 1005])
    expect(slow.waits.every(Number.isInteger)).toBe(true)
    expect(told.waits).toEqual([1009])
  })

  it('reports an internal error to the operator, but not in the stored reason', async () => {
    const { queue, errors } = open({ ...RETRY, attempts: 1 })
    const { job, ended } = jobOf(async () => {
      throw new Error('https://hooks.example/secret')
    })
    queue.add(job)
    expect(await ended).toMatchObject({ error: 'internal error; see the log' })
    expect(errors).toHaveLength(1)
  })

  it('accepts a limited number of messages, and releases those that are left when it is closed', async () => {
    const { queue } = open()
    const hanging = jobOf(() => new Promise(() => {}))
    const jobs = Array.from({ length: MOST_WAITING - 1 }, () => jobOf(() => new Promise(() => {})))
    for (const { job } of [hanging, ...jobs]) expect(queue.add(job)).toBe(true)
    expect(queue.add(jobOf(async () => true).job)).toBe(false)
    expect(queue.size).toBe(MOST_WAITING)
    await queue.close({ isStopping: true })
    expect([hanging, ...jobs].every(({ isReleased }) => isReleased())).toBe(true)
    expect(queue.add(jobOf(async () => true).job)).toBe(false)
  })

  it('finishes what it is sending when it is replaced, and releases the rest', async () => {
    const { queue } = open()
    let accept: (isSent: boolean) => void = () => {}
    let refuseNow: (error: Error) => void = () => {}
    const sending = jobOf(() => new Promise(resolve => (accept = resolve)))
    const failing = jobOf(() => new Promise((_, reject) => (refuseNow = reject)))
    for (const { job } of [sending, failing]) queue.add(job)
    await queue.close({ isStopping: false })
    expect([sending.isReleased(), failing.isReleased()]).toEqual([false, false])
    accept(true)
    expect(await sending.ended).toMatchObject({ state: 'sent' })
    refuseNow(new DeliveryError('HTTP 503'))
    await expect.poll(failing.isReleased).toBe(true)
    expect(sending.isReleased()).toBe(false)
  })
})
