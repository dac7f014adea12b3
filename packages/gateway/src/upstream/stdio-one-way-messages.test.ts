import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { callTool, reach } from './test-support/reach.ts'
import type { UpstreamServer } from './upstream-server.ts'

// A server that works normally keeps its connection, whatever its callers do.

const SERVER = fileURLToPath(new URL('test-support/small-stdio-server.mjs', import.meta.url))

let upstream: UpstreamServer
let ends: string[]

beforeEach(async () => {
  ends = []
  upstream = reach({ kind: 'stdio', command: process.execPath, args: [SERVER], env: {}, cwd: '/' })
  await upstream.ready()
  upstream.listen({ onReady() {}, onEvent() {}, onDown: ({ detail }) => ends.push(detail) })
})
afterEach(() => upstream.stop())

it.each([
  ['receives several long answers at once', 3, 3],
  ['receives fallbacks for the answers without room while it is busy', 12, 9],
])('%s', async (_what, count, whole) => {
  const data = 'A'.repeat(3_500_000)
  const ask = async () => ({ result: { content: { type: 'image', mimeType: 'image/png', data } } })
  const reply = await callTool(upstream, 'ask', { args: { count, ms: 500 }, ask }).reply
  const lengths = reply.kind === 'answer' ? (reply.message.result?.lengths as number[]) : []
  expect(lengths).toHaveLength(count)
  expect(lengths.filter(length => length > data.length)).toHaveLength(whole)
  expect(ends).toEqual([])
})

it('keeps its slots taken while a caller cancels thousands of calls', async () => {
  const busy = callTool(upstream, 'block', { who: 'bob', args: { ms: 1500 } })
  for (let at = 0; at < 6000; at++) {
    const call = callTool(upstream, 'ping')
    call.cancel()
    await call.reply
  }
  expect((await busy.reply).kind).toBe('answer')
  expect(ends).toEqual([])
})

it('has its standard error read at a limited pace: two megabytes immediately, and two more each second', async () => {
  const reply = await callTool(upstream, 'shout', { args: { ms: 1000 } }).reply
  const { bytes } = (reply.kind === 'answer' ? reply.message.result : undefined) as { bytes: number }
  expect(bytes).toBeGreaterThan(1_000_000)
  expect(bytes).toBeLessThan(10_000_000)
})
