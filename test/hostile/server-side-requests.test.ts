import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cleanUp, later } from '../support/clean-up.ts'
import { findFreePort } from '../support/free-port.ts'
import { startGateway, startGatewayAt } from '../support/gateway.ts'
import { bearer, LegacyClient, ModernClient, refusalOf, send } from '../support/raw-mcp.ts'
import { scripted } from '../support/scripted-server.ts'
import { play, type Scene } from './scene.ts'

// Only the operator chooses which addresses the gateway connects to (ToolHive GHSA-pr64-jmmf-jp54, Bifrost
// CVE-2026-55245). The addresses that an issuer may name are tested in packages/gateway/src/tokens/oauth.

type Handler = (req: IncomingMessage, res: ServerResponse) => void

const touched: string[] = []
let canary: string
let scene: Scene

/** A server on this machine: the private address that must not be reached, or one that points to it. */
async function listen(handler: Handler): Promise<string> {
  const server = createServer(handler)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  later(() => server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

beforeAll(async () => {
  canary = await listen((req, res) => {
    touched.push(`${req.method} ${req.url} ${JSON.stringify(req.headers)}`)
    res.end('{}')
  })
  scene = await play([scripted('fetch')])
})
afterAll(cleanUp)

type Answer = (res: ServerResponse, method: string | undefined) => void

const redirect =
  (status: number): Answer =>
  res =>
    res.writeHead(status, { location: `${canary}/stolen` }).end()
/** In the HTTP+SSE transport, the first event names the address for posts. */
const endpoint =
  (address: () => string): Answer =>
  (res, method) => {
    if (method !== 'GET') return void res.writeHead(405).end()
    res.writeHead(200, { 'content-type': 'text/event-stream' })
    res.write(`event: endpoint\ndata: ${address()}\n\n`)
  }
const challenge: Answer = res => {
  const metadata = `Bearer resource_metadata="${canary}/.well-known/oauth-protected-resource"`
  res.writeHead(401, { 'www-authenticate': metadata, link: `<${canary}/>; rel=preload` }).end()
}

/** The ways in which a server can point elsewhere, by the name of the server. */
const POINTERS: Readonly<Record<string, Answer>> = {
  ...Object.fromEntries([301, 302, 303, 307, 308].map(status => [`redirect-${status}`, redirect(status)])),
  'other-origin': endpoint(() => `${canary}/steal`),
  'without-scheme': endpoint(() => canary.slice('http:'.length)),
  backslashes: endpoint(() => canary.replaceAll('/', '\\')),
  'user-before-host': endpoint(() => canary.replace('://', '://127.0.0.1:80@')),
  'a-file': endpoint(() => 'file:///etc/passwd'),
  challenge,
}

describe('a server that redirects the gateway', () => {
  it('is down, and the other address is never contacted', async () => {
    const url = await listen((req, res) => POINTERS[req.url?.split('/')[1] ?? '']?.(res, req.method))
    const headers = { authorization: 'Bearer of-the-server' }
    const names = Object.keys(POINTERS).flatMap(name => [`${name}-http`, `${name}-sse`])
    const mcpServers = Object.fromEntries(
      names.map(name => {
        const [, pointer = '', type = ''] = /^(.*)-(http|sse)$/.exec(name) ?? []
        return [name, { url: `${url}/${pointer}/mcp`, type, headers }]
      }),
    )
    const gateway = await startGateway({ mcpServers })
    await Promise.all(names.map(name => gateway.says(new RegExp(`\\b${name} is down`))))
    await gateway.stop()
    expect(touched).toEqual([])
  })
})

describe('an agent', () => {
  it('cannot make the gateway contact an address by writing it anywhere in its requests', async () => {
    const at = `${canary}/agent`
    for (const path of ['/mcp', '/mcp/direct', '/mcp/servers/s']) {
      const url = `${scene.gateway.url}${path}`
      const client = new ModernClient(url, scene.token)
      for (const name of ['fetch', 's__fetch', 'call_tool_read', 'retrieve_tools', 'read_result', at]) {
        const args = { name: 's:fetch', args: { url: at }, query: at, handle: at, url: at }
        const meta = { 'io.hintgate/session': at, callback: at, progressToken: at }
        await client.call(name, args, { meta, headers: { referer: at, 'x-callback-url': at } })
      }
      for (const method of ['resources/read', 'resources/subscribe', 'completion/complete', 'prompts/get'])
        await client.request(method, { uri: at, name: at, ref: { type: 'ref/resource', uri: at } })
      const old = await new LegacyClient(url, scene.token).initialize()
      await old.request('resources/read', { uri: at })
      await old.notify('notifications/roots/list_changed', { uri: at })
    }
    await send(`${scene.gateway.url}/mcp?url=${at}&resource=${at}`, {
      method: 'GET',
      headers: bearer(scene.token),
    })
    expect(touched).toEqual([])
  })

  it('cannot forge a session id that sends the gateway to another replica', async () => {
    const port = await findFreePort()
    const { site } = await startGateway({ advertise: `http://127.0.0.1:${port}` }).then(async made => {
      await made.stop()
      return made
    })
    const gateway = await startGatewayAt(site, {}, `127.0.0.1:${port}`)
    const token = await site.token()
    const mine = await new LegacyClient(`${gateway.url}/mcp`, token).initialize()
    const [id = '', stamp = ''] = mine.session.split('~')
    // Proves that this test changes something real.
    expect(stamp).not.toBe('')
    const forged = [
      canary,
      Buffer.from(canary).toString('base64url'),
      Buffer.from(canary).toString('base64'),
      `${stamp}${canary}`,
      `${stamp.slice(0, -4)}AAAA`,
      `${Buffer.from(canary).toString('base64url')}.${stamp}`,
    ]
    for (const mark of forged) {
      const headers = { ...mine.headers, 'mcp-session-id': `${id}~${mark}` }
      for (const method of ['POST', 'GET', 'DELETE']) {
        const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
        const reply = await send(mine.url, { method, headers, ...(method === 'POST' ? { body } : {}) })
        expect([method, reply.status]).toEqual([method, 404])
      }
      const modern = new ModernClient(`${gateway.url}/mcp`, token)
      const params = { name: 'call_tool_read', arguments: {}, requestState: `hg1.x~${mark}` }
      const answer = await modern.request('tools/call', params)
      expect(answer.error ?? refusalOf(answer), JSON.stringify(answer)).toBeDefined()
    }
    expect(touched).toEqual([])
    await gateway.stop()
  })
})

describe('the watched address', () => {
  it('records a request that does reach it', async () => {
    await send(canary, { method: 'GET' })
    expect(touched.length).toBe(1)
    touched.length = 0
  })
})
