import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cleanUp } from '../support/clean-up.ts'
import { bearer, type Json, LegacyClient, ModernClient, refusalOf, send } from '../support/raw-mcp.ts'
import { scripted } from '../support/scripted-server.ts'
import { dataOf, markOf } from '../support/search-client.ts'
import { play, type Scene } from './scene.ts'

// A session belongs to the caller that opened it, at the path where it was opened (MetaMCP CVE-2026-79537, python-sdk
// CVE-2026-52869). One path: test/e2e/gateway-sessions.test.ts. This file tests every path, and other data with an
// owner.

const PATHS = ['/mcp', '/mcp/direct', '/mcp/servers/s', '/mcp/servers/t']
const WORLD = { readOnlyHint: true, openWorldHint: true }

let scene: Scene
let other: string

beforeAll(async () => {
  const long = { result: { content: [{ type: 'text', text: 'the long secret of A. '.repeat(5000) }] } }
  scene = await play([scripted('long', {}, long), scripted('page', { annotations: WORLD })], {
    mcpServers: {},
  })
  const { site } = scene.gateway
  const { config } = scene.server
  site.configure({ mcpServers: { s: config, t: config } })
  await scene.gateway.says(/\bt is ready/)
  other = await site.token({ permissions: 'retrieve_tools,read,write,destructive' })
})
afterAll(cleanUp)

const list = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
const at = (path: string): string => `${scene.gateway.url}${path}`

describe('a session id', () => {
  it.each(PATHS)('opened at %s is unknown with another token or at another path', async home => {
    const mine = await new LegacyClient(at(home), scene.token).initialize()
    for (const path of PATHS) {
      for (const token of [scene.token, other]) {
        const isMine = path === home && token === scene.token
        const reply = await send(at(path), { body: list, headers: { ...mine.headers, ...bearer(token) } })
        expect([path, isMine, reply.status]).toEqual([path, isMine, isMine ? 200 : 404])
        if (!isMine) {
          const stream = { ...mine.headers, ...bearer(token), 'last-event-id': '0' }
          for (const method of ['GET', 'DELETE'])
            expect((await send(at(path), { method, headers: stream })).status).toBe(404)
        }
      }
    }
    // None of the attempts ended the session.
    expect((await send(at(home), { body: list, headers: mine.headers })).status).toBe(200)
  })

  it.each(['', 'x', '0', '../mcp', 'null', '*', crypto.randomUUID(), 'a'.repeat(300)])(
    'that was never issued is unknown: %j',
    async id => {
      const { headers } = new LegacyClient(at('/mcp'), scene.token)
      const reply = await send(at('/mcp'), { body: list, headers: { ...headers, 'mcp-session-id': id } })
      expect(reply.status).toBe(404)
    },
  )

  it('cannot be chosen by the client', async () => {
    const params = {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'x', version: '0' },
    }
    const { headers } = new LegacyClient(at('/mcp'), scene.token)
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })
    const reply = await send(at('/mcp'), { body, headers: { ...headers, 'mcp-session-id': 'mine' } })
    expect(reply.status).toBe(400)
  })
})

describe('data of one caller', () => {
  it('a stored result can be read only by its owner, in any session', async () => {
    const client = new ModernClient(at('/mcp'), scene.token)
    const { handle } = markOf(await client.call('call_tool_read', { name: 's:long', args: {} }))
    const session = { 'io.hintgate/session': 'shared' }
    const answer = await new ModernClient(at('/mcp'), other).call(
      'read_result',
      { handle },
      { meta: session },
    )
    expect(refusalOf(answer)).toBe('invalid_arguments')
    expect(JSON.stringify(answer)).not.toContain('long secret')
    const own = await client.call('read_result', { handle, part: '/content/0/text' })
    expect(JSON.stringify(own)).toContain('long secret')
  })

  it('the risk factors of a session do not change when another caller uses the same session name', async () => {
    const meta = { 'io.hintgate/session': 'the same' }
    const risk = async (token: string): Promise<Json> =>
      dataOf<{ session_risk: Json }>(
        await new ModernClient(at('/mcp'), token).call('retrieve_tools', { query: 'page' }, { meta }),
      ).session_risk
    const before = await risk(scene.token)
    await new ModernClient(at('/mcp'), other).call('call_tool_read', { name: 's:page', args: {} }, { meta })
    expect(await risk(other)).not.toEqual(before)
    expect(await risk(scene.token)).toEqual(before)
  })
})
