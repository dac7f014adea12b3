import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { connect } from 'node:net'
import { expect, it } from 'vitest'
import { StandstillWatch } from './standstill-watch.ts'

const LIMITS = { bodyMs: 100, unreadMs: 60_000, unreadBytesPerPrincipal: 1000 }

it('ends bodies that do not come, and none that is there and waits for its turn', async () => {
  const responses: ServerResponse[] = []
  const server = createServer((_req, res) => void responses.push(res)).listen(0, '127.0.0.1')
  await new Promise(resolve => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  const sockets = [0, 1].map(() => connect(port, '127.0.0.1'))
  for (const socket of sockets) socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nabc')
  while (responses.length < 2) await new Promise(resolve => server.once('request', resolve))
  const [whole, late] = responses
  if (whole === undefined || late === undefined) throw new Error('nobody came')
  const principal = { id: 'agent:a' }
  const open = [
    { res: whole, principal, phase: 'body', isWhole: true },
    { res: late, principal, phase: 'body', onLate: (res: ServerResponse) => res.writeHead(408).end() },
  ]
  const watch = new StandstillWatch(LIMITS, () => open)
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
