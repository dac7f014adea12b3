import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cleanUp } from '../support/clean-up.ts'
import { type Gateway, Site, startReadyGateway, startStdioGateway, stdioServer } from '../support/gateway.ts'
import { PATIENCE_MS } from '../support/patience.ts'
import { bearer, LegacyClient, type Message, ModernClient, Reply, send, textOf } from '../support/raw-mcp.ts'
import { StdioClient } from '../support/stdio-client.ts'
import { openWitness, type Witness } from '../support/witness.ts'

let witness: Witness
let gateway: Gateway
let token: string

beforeAll(async () => {
  witness = await openWitness()
  gateway = await startReadyGateway({
    mcpServers: { s: stdioServer('s', witness) },
    limits: { body: '100kb', headers: '8kb', batch: 3, jsonDepth: 20 },
  })
  token = await gateway.site.token()
})
afterAll(cleanUp)

const ping = (id: number | string) => ({ jsonrpc: '2.0', id, method: 'ping' })
const call = (args: unknown) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'echo', arguments: args },
})
const nested = (depth: number): string => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`

/** Sends the bytes unchanged and returns everything received. */
function raw(bytes: string): Promise<string> {
  const { port } = new URL(gateway.url)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), '127.0.0.1', () => socket.write(bytes))
    let text = ''
    socket.setEncoding('utf8').on('data', (part: string) => (text += part))
    socket.on('close', () => resolve(text))
    socket.on('error', reject)
    socket.setTimeout(PATIENCE_MS, () => socket.destroy())
  })
}

describe('a request is refused', () => {
  it('if its body is too long, whether the length is announced or not', async () => {
    const client = await new LegacyClient(gateway.endpoint('s'), token).initialize()
    const seen = witness.of('s').length
    const big = JSON.stringify(call({ text: 'x'.repeat(150_000) }))
    const announced = await send(client.url, { body: big, headers: client.headers })
    expect(announced.status).toBe(413)
    expect(announced.text).toMatch(/the body is longer than \d+ bytes; see limits\.body/)
    const { port } = new URL(gateway.url)
    const head = Object.entries({
      ...client.headers,
      host: `127.0.0.1:${port}`,
      'transfer-encoding': 'chunked',
    })
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join('')
    const chunk = `${(40_000).toString(16)}\r\n${'x'.repeat(40_000)}\r\n`
    const answer = await raw(`POST /mcp/servers/s HTTP/1.1\r\n${head}\r\n${chunk.repeat(3)}`)
    expect(answer).toMatch(/^HTTP\/1\.1 413 /)
    expect(witness.of('s').length).toBe(seen)
    const fits = client.post(call({ text: 'x'.repeat(90_000) }))
    expect(textOf(await fits.answer())).toHaveLength(90_000 + '{"text":""}'.length)
  })

  it('if its headers are too long', async () => {
    const client = await new LegacyClient(gateway.endpoint('s'), token).initialize()
    const tooMuch = client.post(ping(1), { 'x-big': 'x'.repeat(9000) })
    await tooMuch.closed
    expect(tooMuch.status).toBe(431)
    expect((await client.request('ping')).result).toEqual({})
  })

  it('if it has too many messages', async () => {
    const client = await new LegacyClient(gateway.endpoint('s'), token).initialize({ version: '2025-03-26' })
    const fits = client.post([ping('a'), ping('b'), ping('c')])
    await fits.closed
    expect(fits.messages.items.map(({ id }) => id).toSorted()).toEqual(['a', 'b', 'c'])
    const tooMany = client.post([ping('a'), ping('b'), ping('c'), ping('d')])
    await tooMany.closed
    expect([tooMany.status, tooMany.text]).toEqual([413, expect.stringContaining('3')])
  })

  it('if its JSON is nested too deeply, before it is parsed', async () => {
    const client = await new LegacyClient(gateway.endpoint('s'), token).initialize()
    const body = (depth: number): string =>
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":${nested(depth)}}}`
    const deep = await send(client.url, { body: body(30), headers: client.headers })
    expect([deep.status, (await deep.answer()).error?.code]).toEqual([400, -32700])
    expect((await send(client.url, { body: body(10), headers: client.headers })).status).toBe(200)
    const abyss = await send(client.url, { body: '['.repeat(90_000), headers: client.headers })
    expect(abyss.status).toBe(400)
  })

  it('if it is not JSON, not JSON-RPC, or has an unknown HTTP method', async () => {
    const client = await new LegacyClient(gateway.endpoint('s'), token).initialize()
    const status = async (body: string): Promise<number> =>
      (await send(client.url, { body, headers: client.headers })).status
    for (const body of [
      '',
      'x',
      '{',
      '[]',
      '42',
      'null',
      '{"id":1}',
      '{"jsonrpc":"1.0","id":1,"method":"ping"}',
    ]) {
      expect([body, await status(body)]).toEqual([body, 400])
    }
    expect((await send(client.url, { method: 'PUT', headers: client.headers })).status).toBe(405)
  })
})

describe('a client on a pipe', () => {
  it('has the same limits, and gets an error for each', async () => {
    const site = new Site({
      mcpServers: { s: stdioServer('piped', witness) },
      limits: { body: '100kb', batch: 3, jsonDepth: 20 },
    })
    const client = new StdioClient(startStdioGateway(site, ['--server', 's']))
    await client.initialize()
    const error = (match: (message: Message) => boolean) =>
      client.messages.until(message => message.id === null && match(message))
    client.write(JSON.stringify(call({ text: 'x'.repeat(150_000) })))
    await error(message => /bytes/.test(message.error?.message ?? ''))
    client.write(JSON.stringify(call(JSON.parse(nested(30)))))
    await error(message => /deep/.test(message.error?.message ?? ''))
    expect((await client.request('ping')).result).toEqual({})
    client.write(JSON.stringify([ping('a'), ping('b'), ping('c'), ping('d')]))
    // No message may stay unanswered: either all get an answer, or the batch gets an error.
    const told = client.messages.until(
      message => message.id === 'd' || /batch|messages/.test(message.error?.message ?? ''),
    )
    await expect(told).resolves.toBeDefined()
    await client.leave()
  })
})

describe('a limit on concurrent use', () => {
  it('applies to sessions, in total and for one caller, and ending one makes room', async () => {
    const narrow = await startReadyGateway({
      mcpServers: { s: stdioServer('sessions', witness) },
      limits: { sessions: 3, sessionsPerPrincipal: 2 },
    })
    const [mine, other] = [await narrow.site.token(), await narrow.site.token()]
    const open = async (as: string): Promise<{ status: number; client: LegacyClient }> => {
      const client = new LegacyClient(narrow.endpoint('s'), as)
      const params = {
        protocolVersion: '2025-11-25',
        capabilities: {},
        clientInfo: { name: 'x', version: '0' },
      }
      const reply = client.post({ jsonrpc: '2.0', id: 1, method: 'initialize', params })
      await reply.closed
      client.session = String(reply.headers['mcp-session-id'] ?? '')
      return { status: reply.status, client }
    }
    const first = await open(mine)
    expect([first.status, (await open(mine)).status, (await open(mine)).status]).toEqual([200, 200, 503])
    expect([(await open(other)).status, (await open(other)).status]).toEqual([200, 503])
    await first.client.end()
    expect((await open(mine)).status).toBe(200)
    expect(textOf(await new ModernClient(narrow.endpoint('s'), mine).call('echo', { a: 1 }))).toBe('{"a":1}')
    await narrow.stop()
  })

  it('applies to calls, and the end of one makes room', async () => {
    const narrow = await startReadyGateway({
      mcpServers: { s: stdioServer('calls', witness) },
      limits: { concurrentCalls: 2 },
    })
    const client = new ModernClient(narrow.endpoint('s'), await narrow.site.token())
    const running = [client.openCall('hang', { n: 1 }), client.openCall('hang', { n: 2 })]
    await witness.saw('calls', 'hanging', ({ args }) => JSON.stringify(args).includes('1'))
    await witness.saw('calls', 'hanging', ({ args }) => JSON.stringify(args).includes('2'))
    const refused = client.openCall('echo')
    await refused.closed
    expect([refused.status, refused.headers['retry-after']]).toEqual([503, expect.any(String)])
    expect((await send(`${narrow.url}/healthz`, { method: 'GET' })).status).toBe(200)
    witness.tell('calls', { kind: 'release' })
    await Promise.all(running.map(reply => reply.closed))
    expect(textOf(await client.call('echo', { a: 1 }))).toBe('{"a":1}')
    await narrow.stop()
  })

  it('applies to streams, and calls still work', async () => {
    const narrow = await startReadyGateway({
      mcpServers: { s: stdioServer('streams', witness) },
      limits: { streams: 2 },
    })
    const own = await narrow.site.token()
    const modern = new ModernClient(narrow.endpoint('s'), own)
    const legacy = await Promise.all(
      [0, 1].map(() => new LegacyClient(narrow.endpoint('s'), own).initialize()),
    )
    const first = await legacy[0]?.listen()
    const listening = { notifications: { toolsListChanged: true } }
    const second = modern.open('subscriptions/listen', listening)
    await second.until('notifications/subscriptions/acknowledged')
    expect((await legacy[1]?.listen())?.status).toBe(503)
    const third = modern.open('subscriptions/listen', listening)
    await third.closed
    expect(third.text).not.toContain('acknowledged')
    expect(textOf(await modern.call('echo', { a: 1 }))).toBe('{"a":1}')
    first?.close()
    await first?.closed
    await expect.poll(async () => (await legacy[1]?.listen())?.status).toBe(200)
    await narrow.stop()
  })

  it('applies to data that a client does not read: its stream is closed, others are not', async () => {
    const narrow = await startReadyGateway({
      mcpServers: { s: stdioServer('reader', witness) },
      limits: { streamQueue: '256kb' },
    })
    const own = await narrow.site.token()
    const [slow, quick] = await Promise.all(
      [0, 1].map(async () => new LegacyClient(narrow.endpoint('s'), own).initialize()),
    )
    if (slow === undefined || quick === undefined) throw new Error('no clients')
    const [sleeping, reading] = [await slow.listen(), await quick.listen()]
    sleeping.pause()
    // Far more than the socket buffers hold. A resource address is the longest text that a notification sends to all
    // its watchers.
    const MESSAGES = 2500
    const uri = `test://${'x'.repeat(8000)}`
    for (const client of [slow, quick])
      expect((await client.request('resources/subscribe', { uri })).error).toBeUndefined()
    const news = { method: 'notifications/resources/updated', params: { uri }, times: 20 }
    for (let n = 0; n < MESSAGES; n += news.times)
      expect(textOf(await quick.call('watch', news))).toBe('told')
    await expect.poll(() => reading.messages.items.length).toBe(MESSAGES)
    sleeping.resume()
    await sleeping.closed
    expect(sleeping.isComplete).toBe(false)
    expect(sleeping.messages.items.length).toBeLessThan(MESSAGES)
    await narrow.stop()
  })
})

describe('the origin and target of a request', () => {
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'write', arguments: {} },
  })
  const json = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }

  it.each([
    ['a foreign host', { host: 'evil.example.com' }],
    ['a foreign host with our port', { host: 'evil.example.com:80' }],
    ['a host that only starts like ours', { host: '127.0.0.1.evil.example.com' }],
    ['a host that hides ours', { host: 'localhost@evil.example.com' }],
    ['an address that means any host', { host: '0.0.0.0' }],
    ['a page of a foreign origin', { origin: 'https://evil.example.com' }],
    ['a page without an origin of its own', { origin: 'null' }],
    ['an origin that only starts like ours', { origin: 'http://localhost.evil.example.com' }],
    ['an origin of another kind', { origin: 'file://localhost' }],
    ['an origin that is none', { origin: 'x' }],
  ])('%s is refused despite a valid token, and no server receives the request', async (_what, headers) => {
    const seen = witness.of('s').length
    for (const path of ['/mcp/servers/s', '/mcp/direct', '/healthz', '/']) {
      for (const method of ['POST', 'GET', 'OPTIONS', 'DELETE']) {
        const sending = {
          method,
          headers: { ...json, ...bearer(token), ...headers },
          ...(method === 'POST' ? { body } : {}),
        }
        const reply = await send(`${gateway.url}${path}`, sending)
        expect([method, path, reply.status]).toEqual([method, path, 403])
        expect(reply.headers['access-control-allow-origin']).toBeUndefined()
      }
    }
    expect(witness.of('s').length).toBe(seen)
  })

  it.each(['Host: \r\n', '', 'Host: evil.example.com\r\n', 'Host: a b\r\n'])(
    'the host line %j is refused',
    async host => {
      const seen = witness.of('s').length
      const head = `POST /mcp/servers/s HTTP/1.1\r\n${host}Authorization: Bearer ${token}\r\nConnection: close\r\n`
      const rest = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
      expect(await raw(head + rest)).toMatch(/^HTTP\/1\.1 40[03] (?:Bad Request|Forbidden)\r\n/)
      expect(witness.of('s').length).toBe(seen)
    },
  )

  it.each([
    ['localhost', {}],
    ['our own page', { origin: 'http://localhost:1234' }],
    ['upper case', {}],
  ])('%s is accepted', async (what, headers) => {
    const { port } = new URL(gateway.url)
    const host = what === 'upper case' ? `LOCALHOST:${port}` : `localhost:${port}`
    const reply = await send(`${gateway.url}/healthz`, { method: 'GET', headers: { host, ...headers } })
    expect(reply.status).toBe(200)
  })

  it.each([
    'Host: evil.example.com',
    'Authorization: Bearer x',
    'Content-Type: text/plain',
    'Mcp-Session-Id: x',
  ])('a second header %s is refused, because two parsers could read two different requests', async second => {
    const seen = witness.of('s').length
    const { port } = new URL(gateway.url)
    const head = [
      'POST /mcp/servers/s HTTP/1.1',
      `Host: 127.0.0.1:${port}`,
      `Authorization: Bearer ${token}`,
      'Content-Type: application/json',
      'Accept: application/json, text/event-stream',
      'Mcp-Session-Id: y',
      second,
      `Content-Length: ${body.length}`,
      'Connection: close',
    ]
    expect(await raw(`${head.join('\r\n')}\r\n\r\n${body}`)).toMatch(/^HTTP\/1\.1 40[03] /)
    expect(witness.of('s').length).toBe(seen)
  })

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonx',
    '',
  ])('a content type that a web page can send without permission (%s) is refused', async type => {
    const seen = witness.of('s').length
    const reply = await send(gateway.endpoint('s'), {
      body,
      headers: { ...json, ...bearer(token), 'content-type': type },
    })
    expect(reply.status).toBe(415)
    expect(witness.of('s').length).toBe(seen)
  })

  it('other hosts and origins are accepted if the config allows them', async () => {
    const open = await startReadyGateway({
      mcpServers: {},
      allowedHosts: ['gateway.example.com'],
      allowedOrigins: ['https://app.example.com'],
    })
    const status = async (headers: Record<string, string>): Promise<number> =>
      (await send(`${open.url}/healthz`, { method: 'GET', headers })).status
    expect(await status({ host: 'gateway.example.com:8080', origin: 'https://app.example.com' })).toBe(200)
    expect(await status({ origin: 'https://app.example.com:444' })).toBe(403)
    expect(await status({ host: 'other.example.com' })).toBe(403)
    await open.stop()
  })

  it('a request with two conflicting lengths (request smuggling) is refused', async () => {
    const { port } = new URL(gateway.url)
    const seen = witness.of('s').length
    const head = `POST /mcp/servers/s HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\n`
    const both = `${head}Content-Type: application/json\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`
    expect(await raw(both)).toMatch(/^HTTP\/1\.1 400 /)
    expect(witness.of('s').length).toBe(seen)
  })

  it('a modern request whose headers contradict its body is refused', async () => {
    const client = new ModernClient(gateway.endpoint('s'), token)
    const seen = witness.of('s').length
    for (const headers of [
      { 'mcp-name': 'echo' },
      { 'mcp-method': 'tools/list' },
      { 'mcp-protocol-version': '2025-11-25' },
      { 'mcp-name': '=?base64?ZWNobx==?=' },
    ]) {
      const reply = new Reply(client.url, {
        body: JSON.stringify({
          ...{ jsonrpc: '2.0', id: 4, method: 'tools/call' },
          params: {
            name: 'write',
            arguments: {},
            _meta: {
              'io.modelcontextprotocol/protocolVersion': '2026-07-28',
              'io.modelcontextprotocol/clientCapabilities': {},
            },
          },
        }),
        headers: {
          ...{ ...json, ...bearer(token), 'mcp-protocol-version': '2026-07-28' },
          ...{ 'mcp-method': 'tools/call', 'mcp-name': 'write', ...headers },
        },
      })
      await reply.closed
      expect([reply.status, (await reply.answer()).error?.code]).toEqual([400, -32020])
    }
    expect(witness.of('s').length).toBe(seen)
  })
})
