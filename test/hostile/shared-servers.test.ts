import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cleanUp, later } from '../support/clean-up.ts'
import { type Gateway, startReadyGateway } from '../support/gateway.ts'
import { ModernClient, refusalOf, textOf } from '../support/raw-mcp.ts'

// What one agent makes a server do must not take the server away from others.

const LOUD = fileURLToPath(new URL('servers/loud.mjs', import.meta.url))
const MOST_BODY = 20_000

interface Rpc {
  readonly id?: number | string
  readonly method?: string
}

/** A server that hangs up on long requests, as many do. */
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
      touchy: { url: await openTouchyServer(), type: 'http', trust: 'trusted' },
    },
    limits: { result: '64kb' },
  })
  greedy = await gateway.site.token()
  other = await gateway.site.token()
}, 60_000)
afterAll(cleanUp, 60_000)

const clientOf = (token: string, server: string) => new ModernClient(gateway.endpoint(server), token)

describe('a server that several agents share', () => {
  it.each([false, true])(
    'stays where it is when one of them asks for too much (id last: %s)',
    async isIdLast => {
      const waiting = clientOf(other, 'pipe').call('wait', { ms: 500 })
      const long = await clientOf(greedy, 'pipe').call('long', { bytes: 200_000, isIdLast })
      expect(refusalOf(long)).toBe('result_too_large')
      expect(textOf(await waiting)).toBe('waited')
      expect(textOf(await clientOf(other, 'pipe').call('echo', { a: 1 }))).toBe('{"a":1}')
    },
  )

  it('is not left alone for what one of them sends', async () => {
    await clientOf(other, 'touchy').call('any', {})
    const blob = 'x'.repeat(2 * MOST_BODY)
    for (let round = 0; round < 4; round++) {
      const calls = Array.from({ length: 5 }, () => clientOf(greedy, 'touchy').call('any', { blob }))
      for (const refused of await Promise.all(calls)) expect(refusalOf(refused)).toBe('upstream_unavailable')
      expect(textOf(await clientOf(other, 'touchy').call('any', {}))).toBe('here')
    }
  })
})
