import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cleanUp } from '../support/clean-up.ts'
import { httpServer } from '../support/gateway.ts'
import { bearer, LegacyClient, ModernClient, refusalOf, send, textOf } from '../support/raw-mcp.ts'
import { DESTROYS, scripted } from '../support/scripted-server.ts'
import { openWitness, type Witness } from '../support/witness.ts'
import { ENVELOPE, play, type Scene } from './scene.ts'

// An invalid token never counts as a missing one, and no header from outside identifies a caller (LiteLLM
// CVE-2026-59822, Kuadrant GHSA-g53w-w6mj-hrpp). Invalid tokens of every kind: test/hostile/gateway-auth.test.ts.

/** Headers that gateways and proxies use among themselves; any client can send them. */
const INTERNAL: Record<string, string> = {
  'hintgate-hop': '1',
  'x-hintgate-principal': 'admin',
  'x-hintgate-role': 'admin',
  'x-forwarded-user': 'admin',
  'x-forwarded-email': 'admin@example.com',
  'x-forwarded-for': '127.0.0.1',
  'x-forwarded-host': 'localhost',
  'x-forwarded-proto': 'https',
  'x-real-ip': '127.0.0.1',
  forwarded: 'for=127.0.0.1;host=localhost',
  'x-original-url': '/healthz',
  'x-rewrite-url': '/healthz',
  'x-remote-user': 'admin',
  'remote-user': 'admin',
  'x-mcp-authorized': 'true',
  'x-mcp-toolname': 'read',
  'x-http-method-override': 'GET',
}

let scene: Scene
let witness: Witness

beforeAll(async () => {
  witness = await openWitness()
  const web = await httpServer('web', witness)
  const later = await httpServer('later', witness, ['--era', 'modern'])
  scene = await play([scripted('read'), scripted('destroy', { annotations: DESTROYS })], {
    mcpServers: { web, later },
  })
})
afterAll(cleanUp)

const params = { name: 'destroy', arguments: {}, _meta: ENVELOPE }
const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
const PATHS = [
  '/mcp',
  '/mcp/direct',
  '/mcp/servers/s',
  '/api/v1/events',
  '/api/v1/servers',
  '/metrics',
  '/readyz',
]

describe('internal headers sent by a client', () => {
  it.each(Object.entries(INTERNAL))('do not replace a token: %s: %s', async (name, value) => {
    const before = await scene.arrived()
    for (const path of PATHS) {
      for (const method of ['POST', 'GET', 'DELETE']) {
        const reply = await send(`${scene.gateway.url}${path}`, {
          method,
          headers: { 'content-type': 'application/json', [name]: value },
          ...(method === 'POST' ? { body } : {}),
        })
        expect([method, path, reply.status]).toEqual([method, path, 401])
      }
    }
    expect(await scene.arrived()).toEqual(before)
  })

  it('give a token no additional rights', async () => {
    const reader = await scene.gateway.site.token({ permissions: 'read', tools: 'read' })
    const before = await scene.arrived()
    const client = new ModernClient(scene.gateway.endpoint('s'), reader)
    for (const [name, value] of Object.entries(INTERNAL))
      expect(refusalOf(await client.call('destroy', {}, { headers: { [name]: value } }))).toBe('unknown_tool')
    for (const path of ['/api/v1/events', '/api/v1/servers', '/metrics']) {
      const reply = await send(`${scene.gateway.url}${path}`, {
        method: 'GET',
        headers: { ...bearer(reader), ...INTERNAL },
      })
      expect([path, reply.status]).toEqual([path, 403])
    }
    expect(await scene.arrived()).toEqual(before)
  })

  it('do not pass for another replica, so a session stays with its caller', async () => {
    const mine = await new LegacyClient(scene.gateway.endpoint('s'), scene.token).initialize()
    const other = await scene.gateway.site.token()
    const reply = await send(mine.url, {
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
      headers: { ...mine.headers, ...bearer(other), 'hintgate-hop': '1' },
    })
    expect(reply.status).toBe(404)
  })

  it.each(['web', 'later'])(
    'do not reach the server %s, nor do other headers of the caller',
    async server => {
      const client = new ModernClient(scene.gateway.endpoint(server), scene.token)
      const headers = {
        ...INTERNAL,
        cookie: 'session=caller-cookie',
        'x-api-key': 'caller-key',
        'proxy-authorization': 'Basic Y2FsbGVyOmtleQ==',
        'x-amz-security-token': 'caller-aws',
        'user-agent': 'caller-agent',
      }
      expect(textOf(await client.call('echo', { server }, { headers }))).toBe(JSON.stringify({ server }))
      const requests = witness.of(server, 'request')
      expect(requests.length).toBeGreaterThan(0)
      const seen = JSON.stringify(requests)
      for (const value of ['caller-', 'admin', 'Y2FsbGVy']) expect(seen).not.toContain(value)
      for (const { headers: sent = {} } of requests)
        expect(Object.keys(sent).filter(name => name in INTERNAL || name === 'cookie')).toEqual([])
    },
  )
})

describe('a credential in the wrong place', () => {
  it.each([
    ['a cookie', () => ({ cookie: `token=${scene.token}; hintgate=${scene.token}` })],
    ['X-API-Key', () => ({ 'x-api-key': scene.token })],
    ['Basic', () => ({ authorization: `Basic ${Buffer.from(`x:${scene.token}`).toString('base64')}` })],
    ['a proxy header', () => ({ 'proxy-authorization': `Bearer ${scene.token}` })],
    ['a token with its scheme twice', () => ({ authorization: `Bearer Bearer ${scene.token}` })],
  ])('is refused: %s', async (_what, headers) => {
    const before = await scene.arrived()
    for (const path of PATHS) {
      const reply = await send(`${scene.gateway.url}${path}`, {
        body,
        headers: { 'content-type': 'application/json', ...headers() },
      })
      expect([path, reply.status]).toEqual([path, 401])
    }
    expect(await scene.arrived()).toEqual(before)
  })
})
