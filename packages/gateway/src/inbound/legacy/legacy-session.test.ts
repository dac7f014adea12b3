import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { describe, expect, it, vi } from 'vitest'
import { Ledger } from '../../admission/ledger.ts'
import type { Limits } from '../../config/config.ts'
import type { Answer } from '../../exchange/surface.ts'
import type { Request } from '../../protocol/messages.ts'
import type { Principal } from '../../scope/scope.ts'
import { LegacySession, type SessionOptions } from './legacy-session.ts'

const MB = 1_000_000
const principal = { id: 'agent:a', kind: 'agent' } as Principal
const LIMITS = {
  unreadBytes: 10 * MB,
  unreadBytesPerPrincipal: 3 * MB,
  parkedMs: 1000,
  streamBytes: MB,
} as Limits
const long: Answer = { result: { text: 'x'.repeat(2 * MB) } }

/** Creates a response that no client reads. */
const respond = () => {
  const res = new ServerResponse(new IncomingMessage(new Socket()))
  const close = () => {
    Object.assign(res, { _closed: true, destroyed: true })
    res.emit('close')
  }
  return { res, close }
}

function open() {
  const ledger = new Ledger(LIMITS)
  const waiting = new Map<unknown, (answer: Answer) => void>()
  const surface = {
    handle: ({ id }: { id: unknown }) => new Promise<Answer>(resolve => waiting.set(id, resolve)),
    watchResources: vi.fn(() => ({ uris: [], stop() {} })),
    watch: () => () => {},
    release() {},
  }
  const session = new LegacySession({
    id: 's',
    principal,
    surface,
    protocolVersion: '2025-11-25',
    envelope: {},
    limits: LIMITS,
    ledger,
  } as unknown as SessionOptions)
  /** Makes the server answer the call with this id. */
  const answer = async (id: number, with_: Answer): Promise<void> => {
    await vi.waitFor(() => expect(waiting.has(id)).toBe(true))
    waiting.get(id)?.(with_)
    await new Promise(resolve => setImmediate(resolve))
  }
  return { session, surface, answer, unreadNow: () => ledger.shareOf(principal).unread }
}

const ask = (id: number, method = 'resources/read'): Request => ({
  jsonrpc: '2.0',
  id,
  method,
  params: { uri: 'note://1' },
})

describe('a long answer', () => {
  it('counts until the client has read it on the resumed stream', async () => {
    const { session, answer, unreadNow } = open()
    const [asked, resumed] = [respond(), respond()]
    const called = session.call(ask(1), asked.res)
    asked.close()
    expect(session.attach(resumed.res, 's1_1')).toBe(true)
    await answer(1, long)
    await called
    expect(unreadNow()).toBeGreaterThan(2 * MB)
    resumed.close()
    expect(unreadNow()).toBe(0)
  })

  it('counts in a batch as soon as it arrives, and is lost if too many others arrived before it', async () => {
    const { session, answer, unreadNow } = open()
    const { res } = respond()
    const end = vi.spyOn(res, 'end')
    const called = session.callAll([ask(1), ask(2), ask(3)], res)
    await answer(1, long)
    expect(unreadNow()).toBeGreaterThan(2 * MB)
    await answer(2, long)
    expect(unreadNow()).toBeLessThan(3 * MB)
    await answer(3, { result: {} })
    await called
    const [first, second, third] = JSON.parse(String(end.mock.calls[0]?.[0]))
    expect([first.id, second.id, third.id]).toEqual([1, 2, 3])
    expect(first.result.text).toHaveLength(2 * MB)
    expect(second.error.message).toContain('limits.unreadPerPrincipal')
    expect(third.result).toEqual({})
  })
})

describe('a closed session', () => {
  it('no longer watches a resource that it had subscribed to', async () => {
    const { session, surface, answer } = open()
    const called = session.call(ask(1, 'resources/subscribe'), respond().res)
    session.close()
    await answer(1, { result: {} })
    await called
    expect(surface.watchResources).not.toHaveBeenCalled()
  })

  it('would still watch that resource if it had stayed open', async () => {
    const { session, surface, answer } = open()
    const called = session.call(ask(1, 'resources/subscribe'), respond().res)
    await answer(1, { result: {} })
    await called
    expect(surface.watchResources).toHaveBeenCalledOnce()
  })
})
