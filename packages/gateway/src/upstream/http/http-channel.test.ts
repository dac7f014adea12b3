import { afterEach, beforeEach, expect, it } from 'vitest'
import { answer, EVENTS, SmallHttpServer } from '../test-support/small-http-server.ts'
import { HttpChannel } from './http-channel.ts'

const LIMITS = { messageBytes: 1_000_000, bodyBytes: 1_000_000, connections: 4, questionConnections: 4 }
const PAUSE_MS = 800

let server: SmallHttpServer
let channel: HttpChannel

beforeEach(async () => {
  server = await new SmallHttpServer().start()
  channel = new HttpChannel({ url: server.url, headers: {} }, LIMITS)
})
afterEach(async () => {
  await channel.close()
  await server.stop()
})

it('pauses the other messages of a server if too much came with an answer', async () => {
  server.tools.loud = (id, res) => answer(res, { id, result: {} })
  server.tools.poll = (id, res) => res.writeHead(200, EVENTS).end(`id: e${id}\nretry: 0\ndata: \n\n`)
  const resumed = new Promise<number>(resolve => {
    server.onGet = (_req, res) => {
      res.writeHead(200, EVENTS).end()
      resolve(performance.now())
    }
  })
  const toldToRest = new Promise<number>(resolve => {
    const onMessage = (): number => {
      resolve(performance.now())
      return PAUSE_MS
    }
    void channel.open({ onMessage, onLost() {}, onClosed() {} })
  })
  const call = (id: number, name: string) =>
    channel.send({ id, text: JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name } }) })
  call(1, 'loud')
  const since = await toldToRest
  call(2, 'poll')
  expect((await resumed) - since).toBeGreaterThan(PAUSE_MS - 50)
})
