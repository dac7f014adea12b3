import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { afterEach, describe, expect, it } from 'vitest'
import { Connections } from './connections.ts'

const PSK = { ciphers: 'PSK', maxVersion: 'TLSv1.2', minVersion: 'TLSv1.2' } as const
const KEY = Buffer.alloc(16, 7)
const ENDS: (() => void)[] = []
afterEach(() => {
  for (const end of ENDS.splice(0)) end()
})

/** Starts a server that never answers `/stay` and treats every path except `/` as authenticated. */
async function start(isTls: boolean, most: number) {
  const server: Server = isTls ? createTlsServer({ ...PSK, pskCallback: () => KEY }) : createServer()
  const connections = new Connections(server, { most, isTls })
  server.on('request', (req, res) => {
    if (req.url !== '/') connections.enter(req.socket)
    res.once('close', () => connections.leave(req.socket))
    if (req.url !== '/stay') res.end('done')
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  ENDS.push(
    () => server.close(),
    () => server.closeAllConnections(),
  )
  async function open(): Promise<Socket> {
    const socket = isTls
      ? connectTls({
          ...PSK,
          port,
          host: '127.0.0.1',
          pskCallback: () => ({ psk: KEY, identity: 'a' }),
          checkServerIdentity: () => undefined,
        })
      : connect(port, '127.0.0.1')
    socket.on('error', () => {}).resume()
    ENDS.push(() => socket.destroy())
    await once(socket, isTls ? 'secureConnect' : 'connect')
    return socket
  }
  const ask = async (socket: Socket, path: string): Promise<void> => {
    socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`)
    if (path !== '/stay') await once(socket, 'data')
    else await once(server, 'request')
  }
  return { open, ask }
}

describe.each([
  ['plain', false],
  ['over TLS', true],
] as const)('connections, %s', (_name, isTls) => {
  it('closes the oldest unauthenticated connection first and keeps those with requests', async () => {
    const { open, ask } = await start(isTls, 3)
    const [working, resting, stranger] = [await open(), await open(), await open()]
    await ask(stranger, '/')
    await ask(working, '/stay')
    await ask(resting, '/known')
    await open()
    await expect.poll(() => stranger.closed).toBe(true)
    expect([working.closed, resting.closed]).toEqual([false, false])
    await open()
    await expect.poll(() => resting.closed).toBe(true)
    expect(working.closed).toBe(false)
  })

  it('accepts no new connection while all others have requests, until one of them closes', async () => {
    const { open, ask } = await start(isTls, 2)
    const [one, two] = [await open(), await open()]
    await ask(one, '/stay')
    await ask(two, '/stay')
    const late = await open().catch(() => undefined)
    await expect.poll(() => late?.closed ?? true).toBe(true)
    one.destroy()
    await once(one, 'close')
    const comeAgain = async (): Promise<string> => {
      const socket = await open()
      const gone = once(socket, 'close').then(() => 'rejected')
      return Promise.race([ask(socket, '/known').then(() => 'answered'), gone])
    }
    await expect.poll(() => comeAgain().catch(String)).toBe('answered')
    expect(two.closed).toBe(false)
  })
})
