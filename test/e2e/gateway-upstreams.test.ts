import { createServer, type Server as HttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cleanUp, later } from '../support/clean-up.ts'
import { findFreePort } from '../support/free-port.ts'
import {
  httpServer,
  readiness,
  Site,
  startGateway,
  startGatewayAt,
  startReadyGateway,
  stdioServer,
} from '../support/gateway.ts'
import { address, run, serverFile } from '../support/processes.ts'
import { LegacyClient, ModernClient, refusalOf, textOf } from '../support/raw-mcp.ts'
import { openWitness, type Witness } from '../support/witness.ts'

let witness: Witness

beforeAll(async () => {
  witness = await openWitness()
})
afterAll(cleanUp)

const methodsOf = (server: string): (string | undefined)[] => witness.of(server).map(({ method }) => method)

describe('the era of a server', () => {
  it.each([
    ['legacy', ['server/discover', 'initialize']],
    ['modern', ['server/discover']],
  ])('is detected, and remembered where detecting is expensive: %s', async (era, asked) => {
    const name = `remembered-${era}`
    const site = new Site({ mcpServers: { s: stdioServer(name, witness, ['--era', era]) } })
    const first = await startGatewayAt(site)
    expect(await first.says(readiness('s'))).toContain(era)
    // The report of a server arrives over another channel than the output of the gateway, in its own order.
    await expect.poll(() => methodsOf(name)).toContain('tools/list')
    expect(methodsOf(name).slice(0, asked.length)).toEqual(asked)
    await first.stop()
    const before = witness.of(name).length
    const second = await startGatewayAt(site)
    expect(await second.says(readiness('s'))).toContain(era)
    const again = () => methodsOf(name).slice(before)
    await expect.poll(again).toContain('tools/list')
    expect(again().includes('server/discover')).toBe(era === 'modern')
    const client = new ModernClient(second.endpoint('s'), await site.token())
    expect(textOf(await client.call('echo', { a: 1 }))).toBe('{"a":1}')
    await second.stop()
  })

  it.each(['legacy', 'modern'])('is detected again if the remembered one is wrong: from %s', async from => {
    const name = `turning-${from}`
    const to = from === 'legacy' ? 'modern' : 'legacy'
    const site = new Site({ mcpServers: { s: stdioServer(name, witness, ['--era', from]) } })
    const first = await startGatewayAt(site)
    await first.says(readiness('s'))
    await first.stop()
    site.configure({ mcpServers: { s: stdioServer(name, witness, ['--era', to]) } })
    const second = await startGatewayAt(site)
    expect(await second.says(readiness('s'))).toContain(to)
    await second.stop()
  })
})

describe('a server that starts slowly', () => {
  it.each(['legacy', 'modern'])('is waited for, and used in its era: %s', async era => {
    const slow = stdioServer(`slow-${era}`, witness, ['--era', era, '--delay', '6500'])
    const site = new Site({ mcpServers: { s: slow } })
    const gateway = await startGatewayAt(site)
    expect(await gateway.says(readiness('s'))).toContain(era)
    const client = new ModernClient(gateway.endpoint('s'), await site.token())
    expect(textOf(await client.call('echo', { a: 1 }))).toBe('{"a":1}')
    await gateway.stop()
  })
})

describe('a server over HTTP', () => {
  it('that is unreachable at first is used once it is reachable', async () => {
    const { port, server } = await reserve()
    const gateway = await startGateway({
      mcpServers: { s: { url: `http://127.0.0.1:${port}/mcp`, trust: 'trusted' } },
    })
    await gateway.says(/\bs is down/)
    const client = new ModernClient(gateway.endpoint('s'), await gateway.site.token())
    expect(refusalOf(await client.call('echo'))).toBe('upstream_unavailable')
    const real = await address(run(process.execPath, [serverFile('http.mjs'), '--name', 'late']))
    forwardTo(server, real)
    await new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve))
    await gateway.says(readiness('s'))
    expect(textOf(await client.call('echo', { a: 1 }))).toBe('{"a":1}')
    await gateway.stop()
  })

  it('that stops and returns is used again without a restart of the gateway', async () => {
    const { port, server } = await reserve()
    const real = await address(run(process.execPath, [serverFile('http.mjs'), '--name', 'flapping']))
    forwardTo(server, real)
    await new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve))
    const gateway = await startReadyGateway({
      mcpServers: {
        s: { url: `http://127.0.0.1:${port}/mcp`, trust: 'trusted' },
        good: stdioServer('steady', witness),
      },
    })
    const token = await gateway.site.token()
    const client = new ModernClient(gateway.endpoint('s'), token)
    expect(textOf(await client.call('echo', { a: 1 }))).toBe('{"a":1}')
    server.closeAllConnections()
    await new Promise<void>(resolve => server.close(() => resolve()))
    expect(refusalOf(await client.call('echo'))).toBe('upstream_unavailable')
    expect(textOf(await new ModernClient(gateway.endpoint('good'), token).call('echo', { b: 2 }))).toBe(
      '{"b":2}',
    )
    await new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve))
    await expect.poll(async () => textOf(await client.call('echo', { a: 3 }))).toBe('{"a":3}')
    await gateway.stop()
  })

  it('is not followed to a redirect, which would receive its headers', async () => {
    const stolen: unknown[] = []
    const thief = createServer((req, res) => {
      stolen.push(req.headers)
      res.end('{}')
    })
    await new Promise<void>(resolve => thief.listen(0, '127.0.0.1', resolve))
    const { port } = thief.address() as AddressInfo
    const sender = createServer((_req, res) =>
      res.writeHead(307, { location: `http://127.0.0.1:${port}/` }).end(),
    )
    await new Promise<void>(resolve => sender.listen(0, '127.0.0.1', resolve))
    later(() => [thief, sender].map(server => server.close()))
    const from = (sender.address() as AddressInfo).port
    const gateway = await startGateway({
      mcpServers: { s: { url: `http://127.0.0.1:${from}/mcp`, headers: { authorization: 'Bearer secret' } } },
    })
    await gateway.says(/\bs is down/)
    expect(stolen).toEqual([])
    await gateway.stop()
  })

  it.each(['sse', 'http'])(
    'that accepts the connection and sends nothing is down in time: %s',
    async type => {
      const server = createServer((_req, res) => {
        // An SSE server names its endpoint first, but this one never does.
        if (type === 'sse') res.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
      })
      await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
      later(() => {
        server.closeAllConnections()
        server.close()
      })
      const { port } = server.address() as AddressInfo
      const url = `http://127.0.0.1:${port}/mcp`
      const gateway = await startGateway({ mcpServers: { s: { url, type, startTimeout: '300ms' } } })
      await gateway.says(/\bs is down/)
      const answer = await new ModernClient(gateway.endpoint('s'), await gateway.site.token()).call('echo')
      expect(refusalOf(answer)).toBe('upstream_unavailable')
      await gateway.stop()
    },
  )

  it.each([401, 403, 500, 503, 200])(
    'that answers %s to everything is down with that reason',
    async status => {
      const server = createServer((_req, res) =>
        res.writeHead(status, { 'content-type': 'text/html' }).end('<h1>no</h1>'),
      )
      await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
      later(() => server.close())
      const { port } = server.address() as AddressInfo
      const gateway = await startGateway({ mcpServers: { s: { url: `http://127.0.0.1:${port}/mcp` } } })
      await gateway.says(/\bs is down/)
      const answer = await new ModernClient(gateway.endpoint('s'), await gateway.site.token()).call('echo')
      expect(['upstream_unavailable', 'upstream_protocol']).toContain(refusalOf(answer))
      expect(JSON.stringify(answer)).not.toContain('<h1>')
      await gateway.stop()
    },
  )
})

describe('a call that may have been executed', () => {
  it('is never repeated, and its answer says so', async () => {
    const gateway = await startReadyGateway({ mcpServers: { s: stdioServer('fragile', witness) } })
    const client = new ModernClient(gateway.endpoint('s'), await gateway.site.token())
    const answer = await client.call('die_writing')
    expect(refusalOf(answer)).toBe('upstream_unavailable')
    expect(textOf(answer)).toMatch(/executed/)
    expect(textOf(await client.call('echo', { a: 1 }))).toBe('{"a":1}')
    expect(witness.of('fragile').filter(({ raw }) => raw?.includes('"die_writing"'))).toHaveLength(1)
    await gateway.stop()
  })
})

describe('an announcement of a server', () => {
  it.each(['stdio', 'http'])(
    'about its tools reaches all clients, which then get the new list: %s',
    async kind => {
      const name = `news-${kind}`
      const s = kind === 'stdio' ? stdioServer(name, witness) : await httpServer(name, witness)
      const gateway = await startReadyGateway({ mcpServers: { s } })
      const token = await gateway.site.token()
      const client = await new LegacyClient(gateway.endpoint('s'), token).initialize()
      const stream = await client.listen()
      await client.request('tools/list')
      witness.tell(name, { kind: 'tools', tools: ['brand_new'] })
      await expect
        .poll(async () => {
          await client.call('watch', { method: 'notifications/tools/list_changed' })
          return JSON.stringify((await client.request('tools/list')).result)
        })
        .toContain('brand_new')
      await stream.until('notifications/tools/list_changed')
      await gateway.stop()
    },
  )
})

/** A port that is free now and can be used by a server later. */
async function reserve(): Promise<{ port: number; server: HttpServer }> {
  const server = createServer()
  const port = await findFreePort()
  later(() => {
    server.closeAllConnections()
    server.close()
  })
  return { port, server }
}

/** Makes the server redirect everything to another one. */
function forwardTo(server: HttpServer, url: string): void {
  server.on('request', (req, res) => {
    const chunks: Buffer[] = []
    req.on('data', (chunk: Buffer) => chunks.push(chunk))
    req.on('end', async () => {
      if (req.method === 'GET') return void res.writeHead(405).end()
      const { host: _host, connection: _connection, ...headers } = req.headers
      const init = { method: req.method ?? 'POST', headers: headers as Record<string, string> }
      const body = chunks.length === 0 ? {} : { body: Buffer.concat(chunks) }
      const answer = await fetch(url, { ...init, ...body })
      const { 'content-length': _length, ...kept } = Object.fromEntries(answer.headers)
      res.writeHead(answer.status, kept).end(Buffer.from(await answer.arrayBuffer()))
    })
  })
}
