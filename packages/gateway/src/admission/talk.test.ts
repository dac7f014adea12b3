import { describe, expect, it } from 'vitest'
import { LIMITS } from './limits.ts'
import { Meter } from './meter.ts'
import { Attention, isLogLine, isTooLongToHear, Talk } from './talk.ts'

/** Creates a message; by default, processing it takes no time. */
const said = (text: string, workMs = 0) => ({ text, workMs })
const talkOf = (attention = new Attention()) => new Talk(attention)

const SHORT = '{"jsonrpc":"2.0","method":"notifications/message"}'

describe('unsolicited messages from a server', () => {
  it('are read without a pause up to two thousand', () => {
    const pace = talkOf()
    for (let at = 0; at < 1800; at++) expect(pace.spend(said(SHORT), 0)).toBe(0)
    const pauses = Array.from({ length: 2000 }, () => pace.spend(said(SHORT), 0))
    expect(pauses.at(-1)).toBeGreaterThan(900)
  })

  it('are read without pauses at two thousand a second', () => {
    const pace = talkOf()
    for (let at = 0; at < 10_000; at++) expect(pace.spend(said(SHORT), at * 0.55)).toBe(0)
  })

  it('cause a pause in proportion to the excess, up to a limit', () => {
    const pace = talkOf()
    pace.spend(said('x'.repeat(4 * 1024 * 1024)), 0)
    expect(pace.spend(said(SHORT), 0)).toBeGreaterThan(900)
    expect(pace.spend(said(SHORT), 500)).toBeLessThan(600)
    expect(pace.spend(said('x'.repeat(60_000_000)), 1000)).toBe(10_000)
  })

  it('count by length, and in batches by the maximum number of messages that fit', () => {
    const batch = ` [${Array.from({ length: 3000 }, () => SHORT).join(',')}]`
    expect(talkOf().spend(said(batch), 0)).toBeGreaterThan(1000)
    expect(talkOf().spend(said(SHORT + ' '.repeat(batch.length)), 0)).toBe(0)
  })
})

describe('expensive messages', () => {
  it('cause a pause ten times as long as their processing, for any length', () => {
    const pace = talkOf()
    expect(pace.spend(said(SHORT, 0.9), 0)).toBe(0)
    pace.spend(said(SHORT, 100), 0)
    expect(pace.spend(said(SHORT, 100), 0)).toBeGreaterThan(900)
    expect(pace.spend(said(SHORT), 1500)).toBe(0)
  })

  it('include event stream lines without content', () => {
    const noise = new Meter(LIMITS.talk.lines)
    expect(noise.charge(19_000, 0)).toBe(0)
    expect(noise.charge(16_000, 0)).toBeGreaterThan(1000)
  })
})

describe('messages in calls with their own stream', () => {
  const LONG = 'x'.repeat(20_000_000)
  const repeat = (pace: ReturnType<Talk['ofCall']>, count: number, now = 0) =>
    Array.from({ length: count }, () => pace.spend(said(SHORT), now)).at(-1) ?? 0

  it('cost other calls nothing, however many there are', () => {
    const talk = talkOf()
    expect(talk.ofCall().spend(said(LONG), 0)).toBeGreaterThan(8000)
    const other = talk.ofCall()
    expect(repeat(other, 40)).toBe(0)
    // Two seconds later, the other calls can receive many messages again, while the noisy call still waits.
    expect(repeat(other, 1000, 2000)).toBe(0)
  })

  it('are limited for all calls together', () => {
    const talk = talkOf()
    const pauses = Array.from({ length: 20 }, () => repeat(talk.ofCall(), 1500))
    expect(pauses.filter(ms => ms > 0).length).toBeGreaterThan(12)
    expect(pauses.at(-1)).toBeGreaterThan(1500)
  })

  it('are limited over time, even if each call stays below its own limit', () => {
    const talk = talkOf()
    const streams = Array.from({ length: 64 }, () => ({
      pace: talk.ofCall(),
      until: 0,
    }))
    let heard = 0
    for (let now = 0; now < 10_000; now += 1)
      for (const stream of streams) {
        if (now < stream.until) continue
        stream.until = now + stream.pace.spend(said(SHORT), now)
        heard += 1
      }
    // Without the shared limit, the calls could have received six times as many messages.
    expect(heard).toBeLessThan(100_000)
  })

  it('report how long reading was paused, up to a minute', () => {
    const pace = talkOf().ofCall()
    expect(pace.pausedMs).toBe(0)
    const first = pace.spend(said(LONG), 0)
    expect(pace.pausedMs).toBe(first)
    // Messages that arrived together with the first one are read too, and lengthen the same pause.
    const second = pace.spend(said(SHORT), 0)
    expect(pace.pausedMs).toBe(Math.max(first, second))
    for (let at = 1; at < 20; at++) pace.spend(said(LONG), at * 20_000)
    expect(pace.pausedMs).toBe(60_000)
  })
})

describe('the time budget for messages that are not replies', () => {
  it('is used up after a tenth of a second and recovers over time', () => {
    const attention = new Attention()
    expect(attention.spend(90, 0)).toBe(0)
    expect(attention.isSpent(0)).toBe(false)
    expect(attention.spend(30, 0)).toBeGreaterThan(100)
    expect(attention.isSpent(0)).toBe(true)
    expect(attention.isSpent(500)).toBe(false)
  })

  it('is not used up by other processes on the same machine', () => {
    let cpuMs = 1000
    const attention = new Attention(() => cpuMs)
    attention.begin(SHORT)
    cpuMs += 3
    expect(attention.workOf(40)).toBe(3)
    attention.begin(SHORT)
    cpuMs += 50
    expect(attention.workOf(40)).toBe(40)
    expect(new Attention().workOf(40)).toBe(40)
  })

  it('recovers within a few seconds', () => {
    const attention = new Attention()
    expect(attention.spend(1_000_000, 0)).toBe(3000)
    expect(attention.isSpent(3001)).toBe(false)
  })

  it('is shared by all calls; no call has a part for itself', () => {
    const talk = talkOf()
    const pauses = Array.from({ length: 10 }, () => talk.ofCall().spend(said(SHORT, 20), 0))
    expect(pauses.filter(ms => ms > 0)).toHaveLength(5)
  })

  it('causes no pause for messages that took no time', () => {
    const attention = new Attention()
    attention.spend(1000, 0)
    const quiet = talkOf(attention).ofCall()
    expect(quiet.spend(said(SHORT, 0.1), 0)).toBe(0)
    expect(quiet.pausedMs).toBe(0)
  })

  it.each([
    [true, ' { "jsonrpc": "2.0", "method": "notifications/message", "params": {} }'],
    [true, '{"method":"notifications/message"}'],
    [false, '{"jsonrpc":"2.0","method":"notifications/progress"}'],
    [false, '{"jsonrpc":"2.0","id":1,"result":{"method":"notifications/message"}}'],
  ])('recognises a log line by its beginning: %s, %s', (is, text) => expect(isLogLine(text)).toBe(is))
})

describe('a notification of more than a megabyte', () => {
  const long = 'x'.repeat(1024 * 1024)

  it.each([
    '{"jsonrpc":"2.0","method":"notifications/message","params":{"data":"',
    ' { "method" : "notifications/progress","jsonrpc":"2.0","params":{"data":"',
  ])('is dropped: %s', start => {
    expect(isTooLongToHear(`${start}${long}"}}`)).toBe(true)
    expect(isTooLongToHear(`${start}"}}`)).toBe(false)
  })

  it.each([
    '{"jsonrpc":"2.0","id":1,"result":{"method":"notifications/',
    '{"method":"sampling/createMessage","id":"',
  ])('is not confused with other messages: %s', start =>
    expect(isTooLongToHear(`${start}${long}"}}`)).toBe(false),
  )
})
