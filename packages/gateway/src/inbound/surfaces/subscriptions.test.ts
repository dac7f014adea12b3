import { expect, it, vi } from 'vitest'
import type { Json } from '../../protocol/messages.ts'
import type { UpstreamServer } from '../../upstream/upstream-server.ts'
import { Subscriptions } from './subscriptions.ts'

/** Creates a modern server, and a record of the streams that were opened there. */
function open() {
  const opened: { readonly uris: unknown; readonly cancel: () => void }[] = []
  const server = {
    handshake: { era: 'modern' },
    ownEnvelope: {},
    async open({ params }: { readonly params: { readonly notifications: Json } }) {
      const stream = { uris: params.notifications.resourceSubscriptions, cancel: vi.fn() }
      opened.push(stream)
      return stream
    },
  }
  return { opened, subscriptions: new Subscriptions(server as unknown as UpstreamServer, () => {}) }
}

it('has one stream at a modern server, reopened once for many changes', async () => {
  vi.useFakeTimers()
  const { opened, subscriptions } = open()
  subscriptions.watchResources('agent:a', ['file:///kept'])
  for (let count = 0; count < 100; count++)
    subscriptions.watchResources('agent:a', [`file:///${count}`]).stop()
  await vi.advanceTimersByTimeAsync(10_000)
  expect(opened.map(({ uris }) => uris)).toEqual([['file:///kept'], ['file:///kept']])
  expect(opened.map(({ cancel }) => vi.mocked(cancel).mock.calls.length)).toEqual([1, 0])
  subscriptions.watchResources('agent:b', ['file:///other'])
  await vi.advanceTimersByTimeAsync(0)
  expect(opened.at(-1)?.uris).toEqual(['file:///kept', 'file:///other'])
  vi.useRealTimers()
})

it('cancels a stream that opens after the close', async () => {
  const { opened, subscriptions } = open()
  subscriptions.watchResources('agent:a', ['file:///a'])
  subscriptions.close()
  await vi.waitFor(() => expect(opened[0]?.cancel).toHaveBeenCalled())
})

it('limits the total length of the URIs of one caller and of all callers, until they are released', () => {
  const { subscriptions } = open()
  const uris = (caller: string, count: number): string[] =>
    Array.from({ length: count }, (_, index) => `file:///${caller}/${index}/`.padEnd(8192, 'u'))
  const first = subscriptions.watchResources('agent:a', uris('a', 20))
  expect(first.uris).toHaveLength(8)
  expect(subscriptions.hasRoom('agent:a', 'file:///short')).toBe(false)
  for (let caller = 1; caller < 20; caller++)
    expect(subscriptions.watchResources(`agent:${caller}`, uris(`${caller}`, 8)).uris).toHaveLength(
      caller < 16 ? 8 : 0,
    )
  // A resource that is already watched takes no additional room.
  expect(subscriptions.hasRoom('agent:new', uris('a', 1)[0] ?? '')).toBe(true)
  first.stop()
  expect(subscriptions.hasRoom('agent:a', 'file:///short')).toBe(true)
  expect(subscriptions.watchResources('agent:a', uris('a', 20)).uris).toHaveLength(8)
})
