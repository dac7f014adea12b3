import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { expect, it, vi } from 'vitest'
import { META } from '../../protocol/modern.ts'
import type { Inbound } from '../wire/inbound.ts'
import { handleModern, type ModernTransport } from './modern-transport.ts'

const VERSION = '2026-07-28'

/** Lets a client subscribe at a surface that takes a moment to check the request. */
function listenAt(onDescribe: (res: ServerResponse) => void) {
  const res = new ServerResponse(new IncomingMessage(new Socket()))
  const [stopFollowing, stopWatching, stopWaiting] = [vi.fn(), vi.fn(), vi.fn()]
  const surface = {
    describe: async () => {
      onDescribe(res)
      return { capabilities: { resources: { subscribe: true } } }
    },
    admit: async () => undefined,
    watchResources: () => ({ uris: ['note://1'], stop: stopFollowing }),
    watch: () => stopWatching,
  }
  const headers = { 'mcp-protocol-version': VERSION, 'mcp-method': 'subscriptions/listen' }
  const inbound = { req: res.req, res, headers, principal: { id: 'agent:a' }, surface }
  const onShutdown = vi.fn(() => stopWaiting)
  const transport = { limits: { streamBytes: 1000 }, becomeStream: () => undefined, onShutdown }
  const done = handleModern(
    inbound as unknown as Inbound,
    {
      jsonrpc: '2.0',
      id: 1,
      method: 'subscriptions/listen',
      params: {
        notifications: { resourceSubscriptions: ['note://1'] },
        _meta: { [META.protocolVersion]: VERSION },
      },
    },
    transport as unknown as ModernTransport,
  )
  return { res, done, stopFollowing, stopWatching, stopWaiting, onShutdown }
}

/** Puts a response into the state in which Node leaves it after the client has disconnected. */
const close = (res: ServerResponse) => {
  Object.assign(res, { _closed: true, destroyed: true })
  res.emit('close')
}

it('stops watching resources for a client that hung up during the check', async () => {
  vi.useFakeTimers()
  const { done, stopFollowing, stopWatching, onShutdown } = listenAt(close)
  await done
  expect(stopFollowing).toHaveBeenCalledOnce()
  expect(stopWatching).toHaveBeenCalledOnce()
  expect(onShutdown).not.toHaveBeenCalled()
  // The keep-alive timer must have stopped, too.
  expect(vi.getTimerCount()).toBe(0)
  vi.useRealTimers()
})

it('stops watching resources when the client hangs up, and not before', async () => {
  const { res, done, stopFollowing, stopWatching, stopWaiting } = listenAt(() => {})
  await done
  expect(stopFollowing).not.toHaveBeenCalled()
  close(res)
  for (const stop of [stopFollowing, stopWatching, stopWaiting]) expect(stop).toHaveBeenCalledOnce()
})
