import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Limits } from '../config/config.ts'
import type { Principal } from '../scope/scope.ts'
import { Ledger, type OpenResponse } from './ledger.ts'

const MB = 1_000_000
const LIMITS = {
  concurrentCalls: 6,
  callsPerPrincipal: 3,
  streams: 4,
  streamsPerPrincipal: 2,
  bodyMs: 1000,
  bodyBytesPerPrincipal: 10 * MB,
  unreadMs: 1000,
  unreadBytesPerPrincipal: 10 * MB,
  unreadBytes: 15 * MB,
} as Limits

/** The part of a response that the ledger uses. */
class FakeResponse extends EventEmitter {
  closed = false
  destroyed = false
  writableFinished = false
  writableEnded = false
  writableLength = 0
  onTimeout: (() => void) | undefined

  setTimeout(_ms: number, onTimeout: () => void): void {
    this.onTimeout = onTimeout
  }

  destroy(): void {
    this.destroyed = true
    this.close()
  }

  close(): void {
    this.closed = true
    this.emit('close')
  }
}

const asResponse = (res: FakeResponse): ServerResponse => res as never

function principal(name: string, kind: Principal['kind'] = 'agent'): Principal {
  return { id: `${kind}:${name}`, name, kind, scope: { permissions: [], servers: [] }, credential: name }
}

function response(name: string, kind?: Principal['kind']) {
  const res = new FakeResponse()
  const opened: OpenResponse = {
    res: asResponse(res),
    principal: principal(name, kind),
    call: undefined,
  }
  return { res, opened }
}

let open: Ledger
beforeEach(() => {
  vi.useFakeTimers()
  open = new Ledger(LIMITS)
})
afterEach(() => {
  open.close()
  vi.useRealTimers()
})

/** Returns the HTTP status of the refusal, or undefined if the request is accepted. */
const come = (name: string, phase: 'body' | 'call' | 'stream' = 'call', kind?: Principal['kind']) =>
  open.add(response(name, kind).opened, phase)?.status

describe('streams whose credential expires', () => {
  const stream = (expiresAt?: number, phase: 'call' | 'stream' = 'stream') => {
    const { res, opened } = response(`c${expiresAt}`)
    const limited = expiresAt === undefined ? {} : { expiresAt }
    open.add({ ...opened, principal: { ...opened.principal, ...limited } }, phase)
    return res
  }

  it('end at their own expiry; calls and other streams continue', () => {
    const now = Date.now()
    const [later, sooner, never] = [stream(now + 5000), stream(now + 1000), stream()]
    const call = stream(now + 1000, 'call')
    const all = () => [later, sooner, never, call].map(res => res.destroyed)
    vi.advanceTimersByTime(999)
    expect(all()).toEqual([false, false, false, false])
    vi.advanceTimersByTime(1)
    expect(all()).toEqual([false, true, false, false])
    vi.advanceTimersByTime(4000)
    expect(all()).toEqual([true, true, false, false])
  })

  it('end at the new time if the expiry was changed', async () => {
    const res = stream(Date.now() + 5000)
    await open.recheck(async principal => principal)
    expect(res.destroyed).toBe(false)
    await open.recheck(async principal => ({ ...principal, expiresAt: Date.now() + 1000 }))
    expect(res.destroyed).toBe(true)
  })
})

describe('open responses', () => {
  it('are counted for each caller, then for all', () => {
    expect([1, 2, 3, 4].map(() => come('ann'))).toEqual([undefined, undefined, undefined, 429])
    expect([1, 2, 3].map(() => come('bob'))).toEqual([undefined, undefined, undefined])
    expect(come('cid')).toBe(503)
  })

  it('of agents leave room for those of people', () => {
    for (const name of ['ann', 'bob']) for (const _ of [1, 2, 3]) come(name)
    expect([come('cid'), come('eve', 'call', 'person')]).toEqual([503, undefined])
  })

  it('of revoked people end, except for the answer to their last action', async () => {
    const [body, call, stream] = (['body', 'call', 'stream'] as const).map(phase => {
      const { res, opened } = response('eve', 'person')
      open.add(opened, phase)
      return res
    })
    await open.recheck(async () => undefined)
    expect([body?.destroyed, call?.destroyed, stream?.destroyed]).toEqual([true, false, true])
  })

  it('free their share once when they are closed', () => {
    const { res, opened } = response('ann')
    open.add(opened, 'call')
    come('ann')
    come('ann')
    res.close()
    res.close()
    expect([come('ann'), come('ann')]).toEqual([undefined, 429])
  })

  it('cancel their calls when they are closed, unless they were answered', () => {
    const reasons: string[] = []
    const [left, answered] = [response('ann'), response('ann')]
    answered.res.writableFinished = true
    for (const { opened } of [left, answered]) {
      open.add(opened, 'call')
      opened.call = { cancelUnlessParked: reason => void reasons.push(reason) }
    }
    for (const { res } of [left, answered]) res.close()
    expect(reasons).toEqual(['the client disconnected'])
    expect([left.opened.call, answered.opened.call]).toEqual([undefined, undefined])
  })

  it('that closed before they were counted are not counted', () => {
    const { res, opened } = response('ann')
    res.close()
    expect(open.add(opened, 'stream')).toMatchObject({ status: 503 })
    expect([1, 2, 3].map(() => come('ann', 'stream'))).toEqual([undefined, undefined, 429])
  })

  it('are counted by their current phase', () => {
    const { opened } = response('ann')
    open.add(opened, 'body')
    expect(open.become(opened, 'call')).toBeUndefined()
    expect([1, 2, 3].map(() => come('ann', 'body'))).toEqual([undefined, undefined, undefined])
    expect(open.become(opened, 'stream')).toBeUndefined()
    expect([1, 2, 3, 4].map(() => come('ann'))).toEqual([undefined, undefined, undefined, 429])
    expect([come('ann', 'stream'), come('ann', 'stream')]).toEqual([undefined, 429])
  })

  it('keep their phase when the next one is refused', () => {
    const { res, opened } = response('ann')
    open.add(opened, 'body')
    come('ann')
    come('ann')
    come('ann')
    expect(open.become(opened, 'call')).toMatchObject({ status: 429 })
    expect([come('ann', 'body'), come('ann', 'body'), come('ann', 'body')]).toEqual([
      undefined,
      undefined,
      429,
    ])
    res.close()
    expect(come('ann', 'body')).toBeUndefined()
  })

  it('count long bodies until their calls end', () => {
    const [first, second] = [response('ann'), response('ann')]
    open.add(first.opened, 'body')
    open.add(second.opened, 'body')
    expect([open.grow(first.opened, 6 * MB), open.grow(second.opened, 3 * MB)]).toEqual([
      undefined,
      undefined,
    ])
    expect(open.grow(second.opened, 2 * MB)?.message).toContain('limits.bodiesPerPrincipal')
    open.become(first.opened, 'call')
    expect(open.grow(second.opened, 2 * MB)).toMatchObject({ status: 429 })
    first.res.close()
    expect(open.grow(second.opened, 6 * MB)).toBeUndefined()
  })

  it('of batches count as several calls, but are accepted when alone', () => {
    const [large, second] = [response('ann'), response('ann')]
    open.add(large.opened, 'body')
    expect(open.become(large.opened, 'call', 5)).toBeUndefined()
    open.add(second.opened, 'body')
    expect(open.become(second.opened, 'call', 1)).toMatchObject({ status: 429 })
    expect(open.become(second.opened, 'call', 0)).toBeUndefined()
    large.res.close()
    expect(come('ann')).toBeUndefined()
  })

  it('of people include streams that agents cannot take', () => {
    for (const name of ['ann', 'bob'])
      expect([come(name, 'stream'), come(name, 'stream')]).toEqual([undefined, undefined])
    expect(come('cid', 'stream')).toBe(503)
    expect(come('ada', 'stream', 'person')).toBeUndefined()
  })
})

describe('unread answers', () => {
  const answer = (name: string, bytes: number) => {
    const { res } = response(name)
    return {
      res,
      sending: { res: asResponse(res), principal: principal(name), bytes },
    }
  }

  it('are limited for each caller and for all; short ones are not counted', () => {
    const { sending, res } = answer('ann', 8 * MB)
    expect(open.send(sending)).toBeUndefined()
    expect(open.send({ ...sending, bytes: 3 * MB })?.message).toContain('limits.unreadPerPrincipal')
    expect(open.send({ ...sending, bytes: 1000 })).toBeUndefined()
    const bob = { ...sending, principal: principal('bob') }
    expect(open.send(bob)?.message).toContain('limits.unreadTotal')
    res.close()
    expect(open.send(bob)).toBeUndefined()
  })

  it('that exceed the limit alone may be sent, but then no further call is accepted', () => {
    const { sending, res } = answer('ann', 20 * MB)
    expect(open.send(sending)).toBeUndefined()
    expect([come('ann'), come('bob')]).toEqual([429, undefined])
    res.close()
    expect(come('ann')).toBeUndefined()
  })

  it('are counted until their connection closes, and not at all if it has closed before', () => {
    const { sending } = answer('ann', 8 * MB)
    const gone = answer('ann', 8 * MB)
    gone.res.destroy()
    for (let time = 0; time < 9; time += 1) expect(open.send(gone.sending)).toBeUndefined()
    const { sending: first, res } = answer('ann', 8 * MB)
    expect(open.send(first)).toBeUndefined()
    expect(open.send(sending)).toMatchObject({ data: { code: 'overloaded' } })
    res.close()
    expect(open.send(sending)).toBeUndefined()
  })

  it('and streams are closed when their reader stalls or they hold too much together', () => {
    const streams = [response('ann'), response('ann'), response('bob')]
    for (const { res, opened } of streams) {
      open.add(opened, 'stream')
      res.writableLength = 6 * MB
    }
    vi.advanceTimersByTime(1000)
    expect(streams.map(({ res }) => res.destroyed)).toEqual([false, true, false])
    const [quick, , slow] = streams
    if (quick !== undefined) quick.res.writableLength = 0
    quick?.res.onTimeout?.()
    slow?.res.onTimeout?.()
    expect([quick?.res.destroyed, slow?.res.destroyed]).toEqual([false, true])
  })
})

describe('work that continues after its response ended', () => {
  it('is counted until it ends, once', () => {
    const open = new Ledger(LIMITS)
    const calls = [1, 2, 3].map(() => response('ann'))
    const ends = calls.map(({ opened }) => {
      expect(open.add(opened, 'call')).toBeUndefined()
      return open.hold(opened)
    })
    const { opened: fourth } = response('ann')
    for (const { res } of calls) res.close()
    expect(open.add(fourth, 'call')).toMatchObject({ status: 429 })
    ends[0]?.()
    expect(open.add(fourth, 'call')).toBeUndefined()
    expect(open.add(response('ann').opened, 'call')).toMatchObject({ status: 429 })
    open.close()
  })

  it('is counted until the response ends if that takes longer', () => {
    const open = new Ledger(LIMITS)
    const calls = [1, 2, 3].map(() => response('ann'))
    for (const { opened } of calls) {
      open.add(opened, 'call')
      open.hold(opened)()
    }
    expect(open.add(response('ann').opened, 'call')).toMatchObject({ status: 429 })
    calls[0]?.res.close()
    expect(open.add(response('ann').opened, 'call')).toBeUndefined()
    open.close()
  })
})
