import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cleanUp, later } from '../support/clean-up.ts'
import { type Gateway, startReadyGateway } from '../support/gateway.ts'
import { LegacyClient, ModernClient, refusalOf, textOf } from '../support/raw-mcp.ts'

// What one agent makes a server do must not affect other agents of that server.

const LOUD = fileURLToPath(new URL('servers/loud.mjs', import.meta.url))
const ATTENTIVE = fileURLToPath(new URL('servers/attentive.mjs', import.meta.url))
const MOST_BODY = 20_000

interface Rpc {
  readonly id?: number | string
  readonly method?: string
}

/** A server that closes the connection on long requests, as many do. */
async function openTouchyServer(): Promise<string> {
  const server = createServer((req, res) => void answer(req, res))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  later(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`
}

async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
  if (Number(req.headers['content-length'] ?? 0) > MOST_BODY) return void req.socket.destroy()
  if (req.method !== 'POST') return void res.writeHead(405).end()
  const { id, method } = JSON.parse(await text(req)) as Rpc
  if (id === undefined) return void res.writeHead(202).end()
  res
    .setHeader('content-type', 'application/json')
    .end(JSON.stringify({ jsonrpc: '2.0', id, ...say(method) }))
}

function say(method: string | undefined): object {
  const annotations = { readOnlyHint: true, openWorldHint: false }
  const serverInfo = { name: 'touchy', version: '1' }
  const results: Record<string, object> = {
    initialize: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo },
    ping: {},
    'tools/list': { tools: [{ name: 'any', inputSchema: { type: 'object' }, annotations }] },
    'tools/call': { content: [{ type: 'text', text: 'here' }] },
  }
  const result = results[method ?? '']
  return result === undefined ? { error: { code: -32601, message: 'no' } } : { result }
}

let gateway: Gateway
let greedy: string
let other: string

beforeAll(async () => {
  gateway = await startReadyGateway({
    mcpServers: {
      pipe: { command: process.execPath, args: [LOUD], trust: 'trusted' },
      attentive: { command: process.execPath, args: [ATTENTIVE], trust: 'trusted' },
      own: { command: process.execPath, args: [ATTENTIVE], trust: 'trusted', isolation: 'session' },
      touchy: { url: await openTouchyServer(), type: 'http', trust: 'trusted' },
    },
    limits: { result: '64kb' },
  })
  greedy = await gateway.site.token()
  other = await gateway.site.token()
})
afterAll(cleanUp)

const clientOf = (token: string, server: string) => new ModernClient(gateway.endpoint(server), token)
const sessionOf = (token: string, server = 'attentive') =>
  new LegacyClient(gateway.endpoint(server), token).initialize()

/** The lines that the server logs during a call, and its log level. */
async function work(client: LegacyClient) {
  const reply = client.openCall('work')
  const level = textOf(await reply.answer())
  const lines = reply.messages.items.filter(({ method }) => method === 'notifications/message')
  return { level, heard: lines.map(({ params }) => params?.data) }
}

describe('the log level of a server that several agents share', () => {
  const wants = (client: LegacyClient, level: string) => client.request('logging/setLevel', { level })

  it('is the lowest requested one, and each agent receives only its own level', async () => {
    // Sessions of one agent, because on a pipe lines that may concern other agents are not shown.
    const [quiet, curious, silent] = [
      await sessionOf(other),
      await sessionOf(other),
      await sessionOf(other),
    ] as const
    expect((await wants(quiet, 'emergency')).result).toEqual({})
    expect(await work(quiet)).toEqual({ level: 'info', heard: ['emergency'] })
    expect((await work(silent)).heard).toContain('error')
    await wants(curious, 'debug')
    await wants(quiet, 'alert')
    expect(await work(curious)).toMatchObject({ level: 'debug', heard: { 0: 'debug', length: 8 } })
    expect(await work(quiet)).toEqual({ level: 'debug', heard: ['alert', 'emergency'] })
    await curious.end()
    await expect.poll(async () => (await work(quiet)).level).toBe('info')
  })

  it('cannot be set to an unknown value', async () => {
    const client = await sessionOf(other)
    expect((await wants(client, 'off')).error).toMatchObject({ code: -32602 })
    expect((await work(client)).heard).toContain('error')
  })

  it('cannot be raised by another agent', async () => {
    const [client, attacker] = [await sessionOf(other), await sessionOf(greedy)]
    await wants(client, 'debug')
    await wants(attacker, 'emergency')
    expect((await work(client)).level).toBe('debug')
  })

  it('is set for each session if each has its own process', async () => {
    const [quiet, curious] = [await sessionOf(greedy, 'own'), await sessionOf(other, 'own')]
    await wants(curious, 'debug')
    await wants(quiet, 'emergency')
    expect(await work(quiet)).toEqual({ level: 'emergency', heard: ['emergency'] })
    expect((await work(curious)).level).toBe('debug')
  })
})

describe('subscriptions that a server does not answer', () => {
  it('do not delay the subscriptions of other callers', async () => {
    const [attacker, client] = [await sessionOf(greedy), await sessionOf(other)]
    const watched = async () => textOf(await client.call('watched'))
    for (let at = 0; at < 20; at += 1)
      await attacker.request('resources/subscribe', { uri: `x://hang/${at}` })
    await expect.poll(watched).toContain('x://hang/0')
    await client.request('resources/subscribe', { uri: 'x://quiet' })
    await expect.poll(watched).toContain('x://quiet')
    // The other subscriptions of that caller are still in its queue.
    expect(await watched()).not.toContain('x://hang/1')
  })
})

describe('a server that several agents share', () => {
  it.each([false, true])(
    'keeps its connection when one of them requests too much (id last: %s)',
    async isIdLast => {
      const waiting = clientOf(other, 'pipe').call('wait', { ms: 500 })
      const long = await clientOf(greedy, 'pipe').call('long', { bytes: 200_000, isIdLast })
      expect(refusalOf(long)).toBe('result_too_large')
      expect(textOf(await waiting)).toBe('waited')
      expect(textOf(await clientOf(other, 'pipe').call('echo', { a: 1 }))).toBe('{"a":1}')
    },
  )

  it('is not given up for the requests of one of them', async () => {
    await clientOf(other, 'touchy').call('any', {})
    const blob = 'x'.repeat(2 * MOST_BODY)
    for (let round = 0; round < 4; round++) {
      const calls = Array.from({ length: 5 }, () => clientOf(greedy, 'touchy').call('any', { blob }))
      for (const refused of await Promise.all(calls)) expect(refusalOf(refused)).toBe('upstream_unavailable')
      expect(textOf(await clientOf(other, 'touchy').call('any', {}))).toBe('here')
    }
  })
})
