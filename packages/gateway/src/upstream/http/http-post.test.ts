import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Unfinished } from '../../admission/unfinished.ts'
import type { Outgoing } from '../channel/channel.ts'
import { HttpPost } from './http-post.ts'

const STREAM = { status: 200, headers: new Map([['content-type', 'text/event-stream']]) }
const CALL = { id: 1, text: '{}', headers: {} }
const ASIDE = { text: '{}', headers: {} }

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function post(message: Outgoing, most = 1e9) {
  const owner = {
    maxBytes: 1e6,
    onSession() {},
    onStreamOpened() {},
    onEvent: vi.fn(),
    onNoise: vi.fn(),
    onDone: vi.fn(),
    onOneWayDone: vi.fn(),
    unfinished: new Unfinished(most),
  }
  const line = { abort: vi.fn(), rest: vi.fn() }
  const made = new HttpPost(message, undefined, owner)
  made.onLine(line)
  return { post: made, owner, line }
}

describe('a call', () => {
  it('ignores what its stream sends after the answer, and closes a stream that sends too much', () => {
    const { post: call, owner, line } = post(CALL)
    call.onHead(STREAM)
    call.onBody(Buffer.from('data: {"id":1}\n\n'))
    expect(owner.onEvent).toHaveBeenCalledTimes(1)
    call.settle()
    const more = Buffer.from('data: {"a":\n\n'.repeat(3000))
    call.onBody(more)
    expect(line.abort).not.toHaveBeenCalled()
    call.onBody(more)
    expect(line.abort).toHaveBeenCalled()
    expect(owner.onEvent).toHaveBeenCalledTimes(1)
  })

  it('closes a stream that stays open after the answer', () => {
    const { post: call, line } = post(CALL)
    call.onHead(STREAM)
    call.settle()
    vi.advanceTimersByTime(4000)
    expect(line.abort).not.toHaveBeenCalled()
    vi.advanceTimersByTime(2000)
    expect(line.abort).toHaveBeenCalledTimes(1)
  })

  it('closes a connection without a response if the answer came over another one', () => {
    const { post: call, line } = post(CALL)
    call.settle()
    vi.advanceTimersByTime(6000)
    expect(line.abort).toHaveBeenCalledTimes(1)
  })

  it('needs no timer in other cases', () => {
    const { post: call } = post(CALL)
    call.onHead(STREAM)
    expect(vi.getTimerCount()).toBe(0)
    call.settle()
    call.onEnd()
    expect(vi.getTimerCount()).toBe(0)
  })
})

describe('a one-way message', () => {
  it('closes its connection if the server sends too much or takes too long', () => {
    const talkative = post(ASIDE)
    talkative.post.onHead({ status: 200, headers: new Map() })
    for (let at = 0; at < 5; at++) talkative.post.onBody(Buffer.alloc(16_000))
    expect(talkative.line.abort).toHaveBeenCalled()
    const silent = post(ASIDE)
    vi.advanceTimersByTime(11_000)
    expect(silent.line.abort).toHaveBeenCalled()
  })

  it.each(['onEnd', 'onError'] as const)('is reported once, and leaves no timer behind: %s', how => {
    const { post: admitted, owner } = post(ASIDE)
    admitted[how](new Error('gone'))
    expect(owner.onOneWayDone).toHaveBeenCalledTimes(1)
    expect(owner.onDone).not.toHaveBeenCalled()
    expect(vi.getTimerCount()).toBe(0)
  })

  it('ignores what the server sends', () => {
    const { post: admitted, owner } = post(ASIDE)
    admitted.onHead(STREAM)
    admitted.onBody(Buffer.from('data: {}\n\n'))
    expect(owner.onEvent).not.toHaveBeenCalled()
  })
})

describe('an incomplete answer', () => {
  it('counts towards a shared memory limit, and is cut off above that limit', () => {
    const { post: call, owner, line } = post(CALL, 100)
    call.onHead(STREAM)
    call.onBody(Buffer.from(`data: ${'x'.repeat(60)}`))
    expect(call.held).toBe(66)
    call.onBody(Buffer.from('\n\n'))
    expect(call.held).toBe(0)
    call.onBody(Buffer.from(`data: ${'x'.repeat(100)}`))
    expect(line.abort).toHaveBeenCalledTimes(1)
    call.onError(line.abort.mock.calls[0]?.[1] as Error)
    expect(owner.onDone).toHaveBeenCalledExactlyOnceWith(call, { kind: 'too-much-at-once' })
    expect(call.held).toBe(0)
    expect(owner.unfinished.hold(call, 100)).toBe(true)
  })
})
