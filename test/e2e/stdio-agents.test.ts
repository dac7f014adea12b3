import { afterAll, expect, it } from 'vitest'
import { cleanUp } from '../support/clean-up.ts'
import { Site, startStdioGateway, stdioServer } from '../support/gateway.ts'
import { hintgate } from '../support/hintgate.ts'
import { textOf } from '../support/raw-mcp.ts'
import { StdioClient } from '../support/stdio-client.ts'
import { openWitness } from '../support/witness.ts'

// An agent that is named on this machine needs no secret, but it has the permissions and the expiry of its token.

afterAll(cleanUp)

/** A long time for calls to finish when a client leaves by itself. */
async function openSite(): Promise<Site> {
  return new Site({
    mcpServers: { s: stdioServer('s', await openWitness()) },
    quarantine: false,
    drain: '10m',
  })
}

const create = (site: Site, name: string, ...more: string[]) =>
  hintgate(['tokens', 'create', name, '--permissions', 'read,write', ...more, ...site.flags])
const call = { name: 'echo', arguments: { a: 1 } }

it('a client on a pipe is disconnected when its token is revoked', async () => {
  const site = await openSite()
  expect((await create(site, 'ann')).code).toBe(0)
  const running = startStdioGateway(site, ['--agent', 'ann', '--server', 's'])
  const client = new StdioClient(running)
  await client.initialize()
  expect(textOf(await client.request('tools/call', call))).toBe('{"a":1}')
  // Open calls do not keep the connection open.
  client.start('tools/call', { name: 'hang', arguments: {} })
  expect((await hintgate(['tokens', 'revoke', 'ann', ...site.flags])).code).toBe(0)
  expect(await running.exited).toBe(0)
  expect(running.stderr.items.join('\n')).toContain('disconnecting the client')
})

it('an expired token cannot be used by its name either', async () => {
  const site = await openSite()
  expect((await create(site, 'bob', '--expires', '1s')).code).toBe(0)
  const running = startStdioGateway(site, ['--agent', 'bob', '--server', 's'])
  const client = new StdioClient(running)
  await client.initialize().catch(() => undefined)
  // It expires during the request or before; in both cases later requests are refused.
  await expect
    .poll(async () => (await hintgate(['tokens', 'list', ...site.flags])).stdout)
    .toContain('expired')
  client.write({ jsonrpc: '2.0', id: 'late', method: 'tools/call', params: call })
  await running.exited
  expect(JSON.stringify(client.messages.items)).not.toContain('{\\"a\\":1}')
  const { code, stderr } = await hintgate(['call', 's:echo', '{"a":1}', '--as', 'bob', ...site.flags])
  expect([code, stderr]).toEqual([1, expect.stringContaining('explain token_expired')])
})

it('an unknown server is reported at once, and no server is started', async () => {
  const site = await openSite()
  const running = startStdioGateway(site, ['--server', 'nope'])
  expect(await running.exited).toBe(2)
  expect(running.stderr.items.join('\n')).toContain('nope')
  expect(running.stderr.items.join('\n')).not.toMatch(/a fault of ours|internal error/)
})

it('a client on a pipe is disconnected when a reload limits its token to toolsets', async () => {
  const servers = { s: stdioServer('s', await openWitness()) }
  const configWith = (scope: object) => ({
    mcpServers: servers,
    toolsets: { only: { select: ['s:echo'] } },
    agent_tokens: { cy: { permissions: ['read', 'write'], servers: ['*'], ...scope } },
  })
  const site = new Site(configWith({}))
  const running = startStdioGateway(site, ['--agent', 'cy', '--server', 's'])
  const client = new StdioClient(running)
  await client.initialize()
  expect(textOf(await client.request('tools/call', call))).toBe('{"a":1}')
  site.configure(configWith({ sets: ['only'] }))
  expect(await running.exited).toBe(0)
  expect(running.stderr.items.join('\n')).toContain('disconnecting the client')
})
