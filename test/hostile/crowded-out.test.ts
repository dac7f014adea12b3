import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { cleanUp, later } from '../support/clean-up.ts'
import { type Gateway, startReadyGateway, stdioServer } from '../support/gateway.ts'
import { ModernClient, textOf } from '../support/raw-mcp.ts'
import { openWitness, type Witness } from '../support/witness.ts'
import { modernHeaders } from './scene.ts'

// Connections are free for a client and need no token. However many there are, others can still connect.

const MOST = 40
let witness: Witness
let gateway: Gateway
let token: string
let other: string

beforeAll(async () => {
  witness = await openWitness()
  gateway = await startReadyGateway({
    mcpServers: { s: stdioServer('s', witness) },
    limits: { connections: MOST },
  })
  token = await gateway.site.token()
  other = await gateway.site.token()
})
afterAll(cleanUp)

function open(text: string): Promise<Socket> {
  return new Promise(resolve => {
    const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1', () => {
      if (text !== '') socket.write(text)
      resolve(socket)
    })
    socket.on('error', () => {}).resume()
    later(() => socket.destroy())
  })
}

const HEALTH = 'GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'
const known = (): string =>
  `GET /readyz HTTP/1.1\r\n${modernHeaders(gateway.url, token, '').join('\r\n')}\r\n\r\n`

it.each([
  ['say nothing', () => ''],
  ['stop in the middle of a header', () => 'POST /mcp HTTP/1.1\r\nHost: 127'],
  ['were answered and stay open', () => HEALTH],
  [
    'stop in the middle of a body without a token',
    () => `${HEALTH.replace('GET', 'POST').slice(0, -2)}Content-Length: 99\r\n\r\n{`,
  ],
  ['belong to a token', () => known()],
  ['belong to a token and stop in the middle of the next request', () => `${known()}GET /re`],
])(
  'many connections that %s do not keep others from connecting, and end no open call',
  async (name, text) => {
    const held = new ModernClient(gateway.endpoint('s'), other).openCall('hang', { name })
    await witness.saw('s', 'hanging', ({ args }) => JSON.stringify(args).includes(JSON.stringify(name)))
    await Promise.all(Array.from({ length: 3 * MOST }, () => open(text())))
    for (let at = 0; at < 5; at += 1) {
      await open(text())
      const client = new ModernClient(gateway.endpoint('s'), other)
      expect(textOf(await client.call('echo', { at }))).toBe(JSON.stringify({ at }))
    }
    expect(await Promise.race([held.closed, Promise.resolve('still at it')])).toBe('still at it')
    held.close()
  },
)
