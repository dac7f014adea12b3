import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cleanUp, later } from '../support/clean-up.ts'
import { type Gateway, startReadyGateway } from '../support/gateway.ts'
import { ModernClient, refusalOf, textOf } from '../support/raw-mcp.ts'

// Servers that send too much, ask too much or do not read the answers must not affect other servers, and must not
// cost the gateway unlimited memory or time.

const LOUD = fileURLToPath(new URL('servers/loud.mjs', import.meta.url))
const EVENTS = { 'content-type': 'text/event-stream' }
const JSON_TYPE = { 'content-type': 'application/json' }

interface Rpc {
  readonly id?: number | string
  readonly method?: string
}

/** An HTTP server; each test sets how it misbehaves. */
class Misbehaving {
  url = ''
  /** How it handles messages that need no answer. */
  onAside: (res: ServerResponse) => void = res => res.writeHead(202).end()
  onCall: (id: Rpc['id'], res: ServerResponse) => void = () => {}
  onGet: (req: IncomingMessage, res: ServerResponse) => void = (_req, res) => {
    res.writeHead(200, EVENTS).write(': hello\n\n')
    this.streams.add(res)
    res.once('close', () => this.streams.delete(res))
  }
  readonly streams = new Set<ServerResponse>()

  async listen(): Promise<this> {
    const server = createServer((req, res) => void this.#answer(req, res))
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`
    later(() => {
      server.closeAllConnections()
      server.close()
    })
    return this
  }

  say(message: string): void {
    for (const stream of this.streams) stream.write(`data: ${message}\n\n`)
  }

  async #answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    if (req.method === 'GET') return this.onGet(req, res)
    if (req.method === 'DELETE') return void res.writeHead(200).end()
    const { id, method } = JSON.parse(await text(req)) as Rpc
    if (id === undefined || method === undefined) return this.onAside(res)
    if (method === 'tools/call') return this.onCall(id, res)
    const annotations = { readOnlyHint: true, openWorldHint: false }
    const tools = [{ name: 'any', inputSchema: { type: 'object' }, annotations }]
    const serverInfo = { name: 'm', version: '1' }
    const greeting = { protocolVersion: '2025-11-25', capabilities: { tools: {}, logging: {} }, serverInfo }
    const result = method === 'initialize' ? greeting : method === 'tools/list' ? { tools } : undefined
    const answer = result === undefined ? { error: { code: -32601, message: 'no' } } : { result }
    res.writeHead(200, JSON_TYPE).end(JSON.stringify({ jsonrpc: '2.0', id, ...answer }))
  }
}

const loud = { command: process.execPath, args: [LOUD], trust: 'trusted' }

const NAMES = ['asking', 'deaf', 'flooding', 'hasty', 'tardy', 'cutting', 'huge'] as const
const servers = new Map<string, Misbehaving>()
let gateway: Gateway
let token: string
let other: ModernClient

beforeAll(async () => {
  for (const name of NAMES) servers.set(name, await new Misbehaving().listen())
  const urls = NAMES.map(name => [name, { url: server(name).url, trust: 'trusted' }] as const)
  gateway = await startReadyGateway({
    mcpServers: { ...Object.fromEntries(urls), loud, mute: loud, quiet: loud },
    // The answers waiting for a server may be eight times as long.
    limits: { body: '1mb' },
  })
  token = await gateway.site.token()
  other = clientOf('quiet')
})
afterAll(cleanUp)

function server(name: (typeof NAMES)[number]): Misbehaving {
  const found = servers.get(name)
  if (found === undefined) throw new Error(`there is no ${name}`)
  return found
}

/** The same, once the gateway has its stream open. */
async function listenedTo(name: (typeof NAMES)[number]): Promise<Misbehaving> {
  await expect.poll(() => server(name).streams.size).toBe(1)
  return server(name)
}

const clientOf = (server: string) => new ModernClient(gateway.endpoint(server), token)

async function othersAreServed(): Promise<void> {
  expect(textOf(await other.call('echo', { n: 1 }))).toContain('"n":1')
}

describe('a server that asks many questions', () => {
  it("loses the connection on which it answers the gateway's answers without an end", async () => {
    const asking = await listenedTo('asking')
    let hungUp = 0
    asking.onAside = res => {
      res.writeHead(200, { ...JSON_TYPE, 'content-length': 40_000_000 })
      res.once('close', () => (hungUp += 1))
      res.write(Buffer.alloc(20_000_000, 'a'))
    }
    for (let id = 0; id < 30; id++) asking.say(JSON.stringify({ jsonrpc: '2.0', id, method: 'ping' }))
    await expect.poll(() => hungUp).toBe(30)
    await othersAreServed()
  })

  it('is disconnected if it does not read the answers', async () => {
    const deaf = await listenedTo('deaf')
    deaf.onAside = () => {}
    const id = 'i'.repeat(50_000)
    for (let at = 0; at < 400; at++) deaf.say(JSON.stringify({ jsonrpc: '2.0', id: id + at, method: 'ping' }))
    expect(await gateway.says(/\bdeaf is down/)).toContain('does not read the answers')
    await othersAreServed()
  })

  it('is ended if it is a process and does not read the answers', async () => {
    expect(textOf(await clientOf('mute').call('ask', { count: 40, length: 500_000 }))).toBe('asked')
    expect(await gateway.says(/\bmute is down/)).toContain('does not read the answers')
    await othersAreServed()
  })
})

describe('a server that never stops sending', () => {
  // Without a limit it sends a hundred thousand lines a second.
  const MS = 3000

  it('is read with pauses, on a pipe', async () => {
    const flood = clientOf('loud').call('flood', { ms: MS })
    await othersAreServed()
    const said = Number(textOf(await flood))
    expect(said).toBeGreaterThan(1000)
    expect(said).toBeLessThan(30_000)
  })

  it('is read with pauses, on a stream', async () => {
    const flooding = await listenedTo('flooding')
    const [stream] = flooding.streams
    let said = 0
    const until = Date.now() + MS
    while (Date.now() < until) {
      const lines = Array.from({ length: 1000 }, () => {
        const params = { level: 'info', data: `line ${Math.random()}` }
        return `data: ${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/message', params })}\n\n`
      })
      const written = new Promise<void>(resolve => stream?.write(lines.join(''), () => resolve()))
      await Promise.race([written.then(() => (said += 1000)), sleep(until - Date.now())])
    }
    // The buffers of the two sockets hold some megabytes.
    expect(said).toBeLessThan(100_000)
    await othersAreServed()
    // Its answers are not on that stream, so they are not delayed.
    flooding.onCall = (id, res) =>
      res.writeHead(200, JSON_TYPE).end(`{"jsonrpc":"2.0","id":${id},"result":{"content":[]}}`)
    expect((await clientOf('flooding').call('any')).result).toMatchObject({ content: [] })
  })
})

describe('a server that closes its streams early', () => {
  it.each([
    ['hasty', '0'],
    ['tardy', '99999999999'],
  ] as const)('is not asked again and again: %s sends retry: %s', async (name, retry) => {
    const cutting = await listenedTo(name)
    let asked = 0
    cutting.onGet = (_req, res) => {
      asked += 1
      res.writeHead(200, EVENTS).end(`retry: ${retry}\nid: 1\ndata: \n\n`)
    }
    for (const stream of cutting.streams) stream.end('retry: 0\n\n')
    await expect.poll(() => asked).toBeGreaterThan(0)
    await sleep(2000)
    expect(asked).toBeLessThan(30)
  })

  it('is not asked again and again during calls either', async () => {
    const cutting = await listenedTo('cutting')
    let resumed = 0
    let isEnough = false
    cutting.onGet = ({ headers }, res) => {
      resumed += 1
      const id = String(headers['last-event-id']).slice(1)
      const answer = `{"jsonrpc":"2.0","id":${id},"result":{"content":[]}}`
      res.writeHead(200, EVENTS).end(isEnough ? `data: ${answer}\n\n` : `id: c${id}\ndata: \n\n`)
    }
    cutting.onCall = (id, res) => res.writeHead(200, EVENTS).end(`retry: 0\nid: c${id}\ndata: \n\n`)
    const calls = Array.from({ length: 10 }, () => clientOf('cutting').call('any'))
    await sleep(2000)
    isEnough = true
    expect(resumed).toBeGreaterThan(10)
    expect(resumed).toBeLessThan(250)
    for (const { result } of await Promise.all(calls)) expect(result).toMatchObject({ content: [] })
  })
})

describe('an answer', () => {
  const answerWith = (structuredContent: string): void => {
    server('huge').onCall = (id, res) => {
      const result = `{"content":[],"structuredContent":${structuredContent}}`
      res.writeHead(200, JSON_TYPE).end(`{"jsonrpc":"2.0","id":${id},"result":${result}}`)
    }
  }

  it('with ten megabytes of rows is passed on', async () => {
    const rows = Array.from({ length: 90_000 }, (_, id) => ({
      id,
      name: `the name of ${id}`,
      price: id / 4,
      city: 'Berlin',
      at: '2026-01-01T00:00:00Z',
      isSold: true,
    }))
    answerWith(JSON.stringify({ rows }))
    const { result } = await clientOf('huge').call('any')
    expect((result?.structuredContent as { rows: unknown[] } | undefined)?.rows).toHaveLength(90_000)
  })

  it('with 300,000 different names is refused', async () => {
    answerWith(`{${Array.from({ length: 300_000 }, (_, at) => `"k${at}":1`).join(',')}}`)
    expect(refusalOf(await clientOf('huge').call('any'))).toBe('upstream_protocol')
  })
})
