import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { cleanUp } from '../support/clean-up.ts'
import { type Gateway, startReadyGateway, stdioServer } from '../support/gateway.ts'
import { LegacyClient, ModernClient, textOf } from '../support/raw-mcp.ts'
import { openWitness } from '../support/witness.ts'

// Pipelined requests: sent over one connection before the previous one is answered. A waiting response has no socket,
// so Node does not report the disconnect of its client, and a count of such responses would never decrease.

const MOST_AT_ONCE = 4

let gateway: Gateway
let attacker: string
let victim: string

beforeAll(async () => {
  gateway = await startReadyGateway({
    mcpServers: { s: stdioServer('s', await openWitness()) },
    limits: { concurrentCalls: MOST_AT_ONCE, callsPerPrincipal: MOST_AT_ONCE },
  })
  attacker = await gateway.site.token()
  victim = await gateway.site.token()
})
afterAll(cleanUp)

/** A request as bytes on a connection that stays open. */
function write(method: string, headers: Readonly<Record<string, string>>, body = ''): string {
  const lines = Object.entries({ ...headers, host: '127.0.0.1', 'content-length': String(body.length) })
  const { pathname } = new URL(gateway.endpoint('s'))
  return `${method} ${pathname} HTTP/1.1\r\n${lines.map(line => line.join(': ')).join('\r\n')}\r\n\r\n${body}`
}

async function knock(): Promise<Socket> {
  const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1')
  socket.on('error', () => {})
  await once(socket, 'connect')
  return socket
}

it('pipelined requests behind a stream are disconnected, and take no slot from other callers', async () => {
  const { headers } = await new LegacyClient(gateway.endpoint('s'), attacker).initialize()
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'hang', arguments: {} } }
  for (let round = 0; round <= MOST_AT_ONCE; round += 1) {
    const socket = await knock()
    socket.write(write('GET', headers))
    const [answer] = (await once(socket, 'data')) as [Buffer]
    // From the second round on the session already has its stream; the requests behind are pipelined all the same.
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 (?:200|409)/)
    socket.write(write('POST', headers, JSON.stringify(call)).repeat(2))
    await once(socket, 'close')
  }
  const client = new ModernClient(gateway.endpoint('s'), victim)
  expect(textOf(await client.call('echo', { a: 1 }))).toBe('{"a":1}')
})

it('requests over one connection, each after the answer to the one before, are served', async () => {
  const { headers } = await new LegacyClient(gateway.endpoint('s'), victim).initialize()
  const socket = await knock()
  for (const id of [1, 2, 3]) {
    socket.write(write('POST', headers, JSON.stringify({ jsonrpc: '2.0', id, method: 'ping' })))
    let text = ''
    // The answer is a stream, which ends with an empty chunk.
    while (!text.endsWith('\r\n0\r\n\r\n')) text += String((await once(socket, 'data'))[0])
    expect(text).toContain(`"id":${id}`)
  }
  socket.destroy()
})
