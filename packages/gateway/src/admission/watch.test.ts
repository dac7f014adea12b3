import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { connect } from 'node:net'
import { expect, it, vi } from 'vitest'
import { Watch } from './watch.ts'

const DAY = 24 * 60 * 60_000
const LIMITS = { bodyMs: 100, unreadMs: 60_000, unreadBytesPerPrincipal: 1000 }

it('ends bodies that stall, but not one that is complete and waits for its turn', async () => {
  const responses: ServerResponse[] = []
  const server = createServer((_req, res) => void responses.push(res)).listen(0, '127.0.0.1')
  await new Promise(resolve => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  const sockets = [0, 1].map(() => connect(port, '127.0.0.1'))
  for (const socket of sockets) socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nabc')
  while (responses.length < 2) await new Promise(resolve => server.once('request', resolve))
  const [whole, late] = responses
  if (whole === undefined || late === undefined) throw new Error('no request arrived')
  const principal = { id: 'agent:a' }
  const open = [
    { res: whole, principal, phase: 'body', isWhole: true },
    { res: late, principal, phase: 'body', onLate: (res: ServerResponse) => res.writeHead(408).end() },
  ]
  const watch = new Watch(LIMITS, { values: () => open, size: open.length })
  watch.note()
  try {
    await new Promise(resolve => late.once('finish', resolve))
    expect(late.statusCode).toBe(408)
    expect(whole.headersSent).toBe(false)
  } finally {
    watch.stop()
    for (const socket of sockets) socket.destroy()
    server.close()
  }
})

it('ends a stream when its credential expires, however late that is', () => {
  vi.useFakeTimers()
  try {
    const ms = 60 * DAY
    const principal = { id: 'agent:a', expiresAt: Date.now() + ms }
    const open = new Set<{ res: ServerResponse; principal: typeof principal; phase: string }>()
    const destroy = vi.fn(() => open.clear())
    open.add({ res: { destroy, writableLength: 0 } as unknown as ServerResponse, principal, phase: 'stream' })
    const watch = new Watch(LIMITS, {
      values: () => [...open],
      get size() {
        return open.size
      },
    })
    watch.note(principal.expiresAt)
    vi.advanceTimersByTime(2000)
    vi.setSystemTime(principal.expiresAt - 2000)
    vi.advanceTimersByTime(1999)
    expect(destroy).not.toHaveBeenCalled()
    vi.advanceTimersByTime(1)
    expect(destroy).toHaveBeenCalledOnce()
    expect(vi.getTimerCount()).toBe(0)
  } finally {
    vi.useRealTimers()
  }
})
