import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Channel } from '../channel/channel.ts'
import { createSseChannel } from './sse-channel.ts'

const LIMITS = { messageBytes: 1_000_000, bodyBytes: 1_000_000, connections: 4, questionConnections: 4 }

let stream: ServerResponse
let posted: (string | undefined)[]
let channel: Channel
let heard: string[]
const server = createServer((req, res) => {
  if (req.method !== 'GET') {
    posted.push(req.url)
    return res.writeHead(202).end()
  }
  stream = res
  return res
    .writeHead(200, { 'content-type': 'text/event-stream' })
    .write('event: endpoint\ndata: /first\n\n')
})

beforeEach(async () => {
  posted = []
  heard = []
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/sse`
  channel = createSseChannel({ url, headers: {} }, LIMITS)
  const onMessage = (text: string): number => {
    heard.push(text)
    return text.startsWith('/other') ? 60_000 : 0
  }
  await channel.open({ onMessage, onLost() {}, onClosed() {} })
})
afterEach(async () => {
  await channel.close()
  server.closeAllConnections()
  await new Promise(resolve => server.close(resolve))
})

describe('the endpoint', () => {
  it('is the first that the server names', async () => {
    stream.write('event: endpoint\ndata: /other\n\n')
    await expect.poll(() => heard).toEqual(['/other'])
    channel.send({ id: 1, text: '{}' })
    await expect.poll(() => posted).toEqual(['/first'])
  })

  it('is treated like any other message if the server names it again', async () => {
    stream.write('event: endpoint\ndata: /other\n\n')
    await expect.poll(() => heard).toHaveLength(1)
    stream.write('event: endpoint\ndata: /third\n\n')
    await new Promise(resolve => setTimeout(resolve, 200))
    expect(heard).toEqual(['/other'])
  })
})
