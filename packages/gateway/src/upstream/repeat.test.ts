import { expect, it, vi } from 'vitest'
import type { ServerReply } from './attempt.ts'
import type { Failure } from './channel/channel.ts'
import { repeat } from './repeat.ts'

const ENVELOPE = { capabilities: {} }
const request = { method: 'tools/call', envelope: ENVELOPE, timeoutMs: 1000 }
const answer: ServerReply = { kind: 'answer', message: { jsonrpc: '2.0', id: 1, result: {} } }
const refused: Failure = { kind: 'unauthorized', detail: 'HTTP 401', notSent: true }

function refusedUnless(renewed: Failure | undefined) {
  const renew = vi.fn(async () => renewed)
  const failure: Failure = { ...refused, notExecuted: { kind: 'renew-token', renew } }
  return { renew, reply: { kind: 'failure', failure } as const }
}

it('sends a request again with a better token, and renews the token once', async () => {
  const { renew, reply } = refusedUnless(undefined)
  const send = vi.fn(async () => answer as ServerReply)
  expect(await repeat(reply, { request, send })).toBe(answer)
  send.mockResolvedValue(reply)
  expect(await repeat(reply, { request, send })).toBe(reply)
  expect([send.mock.calls.length, renew.mock.calls.length]).toEqual([2, 2])
})

it('does not send a request again if there is no better token', async () => {
  const { reply } = refusedUnless(refused)
  const send = vi.fn()
  expect(await repeat(reply, { request, send })).toEqual({ kind: 'failure', failure: refused })
  expect(send).not.toHaveBeenCalled()
})

it('opens a lost session again once, and never repeats what may have been executed', async () => {
  const lost: ServerReply = {
    kind: 'failure',
    failure: { kind: 'session-lost', detail: '', notSent: true, notExecuted: { kind: 'open-again' } },
  }
  const openAgain = vi.fn()
  const send = vi.fn(async () => lost)
  expect(await repeat(lost, { request, send, openAgain })).toBe(lost)
  expect([send.mock.calls.length, openAgain.mock.calls.length]).toEqual([1, 1])
  const broken: ServerReply = {
    kind: 'failure',
    failure: { kind: 'unavailable', detail: '', notSent: false },
  }
  expect(await repeat(broken, { request, send, openAgain })).toBe(broken)
  expect(send).toHaveBeenCalledTimes(1)
})
