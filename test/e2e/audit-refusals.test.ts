import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cleanUp } from '../support/clean-up.ts'
import { type Gateway, startReadyGateway, stdioServer } from '../support/gateway.ts'
import { hintgate } from '../support/hintgate.ts'
import { LegacyClient, ModernClient } from '../support/raw-mcp.ts'
import { refusal, searchUrl } from '../support/search-client.ts'
import { openWitness } from '../support/witness.ts'

interface Row {
  readonly request: string
  readonly agent: string
  readonly server: string
  readonly tool: string
  readonly code?: string
  readonly outcome: string
  readonly verdict?: string
  readonly severity: string
  readonly repeats?: number
  readonly args?: unknown
  readonly action: string
}

let gateway: Gateway
beforeAll(async () => {
  const mcpServers = { files: stdioServer('files', await openWitness()) }
  gateway = await startReadyGateway({ mcpServers })
})
afterAll(cleanUp)

async function rowsOf(name: string): Promise<readonly Row[]> {
  const { stdout } = await hintgate(['audit', 'query', '--agent', name, '--json', ...gateway.site.flags])
  return (JSON.parse(stdout) as { calls: Row[] }).calls.toReversed()
}

const codesOf = (rows: readonly Row[]) =>
  rows.map(({ server, tool, outcome, code }) => [`${server}:${tool}`, outcome, code])

describe('a refused call is in the audit log', () => {
  it('if the token permits only reads', async () => {
    const { name, token } = await gateway.site.namedToken({ permissions: 'retrieve_tools,read' })
    const client = new ModernClient(searchUrl(gateway), token)
    const calls = [
      await client.call('call_tool_write', { name: 'files:write', args: { path: 'a' } }),
      await client.call('call_tool_destructive', { name: 'files:destroy', args: {} }),
    ]
    expect(calls.map(call => refusal(call).code)).toEqual(['permission_denied', 'permission_denied'])
    await expect
      .poll(async () => codesOf(await rowsOf(name)))
      .toEqual([
        ['files:write', 'refused', 'permission_denied'],
        ['files:destroy', 'refused', 'permission_denied'],
      ])
    const [write, destroy] = await rowsOf(name)
    expect(write).toMatchObject({ verdict: 'deny', severity: 'notice', args: { path: 'a' } })
    expect(destroy?.severity).toBe('warning')
  })

  it('for every reason of the search surface', async () => {
    const scope = { permissions: 'retrieve_tools,read', tools: 'files:read,files:write' }
    const { name, token } = await gateway.site.namedToken(scope)
    const client = new ModernClient(searchUrl(gateway), token)
    await client.call('no_such_tool', {})
    await client.call('call_tool_read', { nam: 'files:read' })
    await client.call('call_tool_read', { name: 'files:destroy', args: {} })
    await client.call('call_tool_read', { name: 'files:write', args: {} })
    await client.call('describe_tool', { name: 'files:destroy' })
    await client.call('read_result', { handle: 'made-up', offset: 0 })
    await client.call('call_tools_read', { calls: [{ name: 'files:write' }] })
    await expect
      .poll(async () => codesOf(await rowsOf(name)))
      .toEqual([
        [':no_such_tool', 'refused', 'unknown_tool'],
        [':call_tool_read', 'refused', 'invalid_arguments'],
        ['files:destroy', 'refused', 'unknown_tool'],
        ['files:write', 'refused', 'permission_denied'],
        [':describe_tool', 'refused', 'unknown_tool'],
        [':read_result', 'refused', 'invalid_arguments'],
        ['files:write', 'refused', 'permission_denied'],
      ])
  })

  it('if the token exceeds its rate limit', async () => {
    const { name, token } = await gateway.site.namedToken({ permissions: 'retrieve_tools,read', rate: '1/h' })
    const client = new ModernClient(searchUrl(gateway), token)
    await client.call('retrieve_tools', { query: 'files' })
    expect(refusal(await client.call('retrieve_tools', { query: 'more' })).code).toBe('rate_limited')
    await expect
      .poll(async () => codesOf(await rowsOf(name)))
      .toEqual([[':retrieve_tools', 'refused', 'rate_limited']])
  })

  it('if it is a request other than a tool call that the token may not make', async () => {
    const { name, token } = await gateway.site.namedToken({ tools: 'files:read' })
    const client = await new LegacyClient(gateway.endpoint('files'), token).initialize()
    const answer = await client.request('resources/list', {})
    expect(answer.error?.message).toBe('Method not found')
    await expect
      .poll(async () => codesOf(await rowsOf(name)))
      .toEqual([['files:resources/list', 'refused', 'permission_denied']])
  })

  it('with a count if it repeats, also if the gateway stops in between', async () => {
    const { name, token } = await gateway.site.namedToken({ permissions: 'retrieve_tools,read' })
    const client = new ModernClient(searchUrl(gateway), token)
    for (let at = 0; at < 200; at++) await client.call('call_tool_write', { name: 'files:write', args: {} })
    await expect.poll(async () => (await rowsOf(name)).length).toBeGreaterThan(0)
    await gateway.stop()
    const rows = await rowsOf(name)
    expect(rows.reduce((sum, { repeats = 1 }) => sum + repeats, 0)).toBe(200)
    // The minute may end during the test.
    expect(rows.length).toBeLessThanOrEqual(4)
    const shown = await hintgate(['audit', 'query', '--agent', name, ...gateway.site.flags])
    expect(shown.stdout).toMatch(/refused \(permission_denied, \d+ more times\)/)
    expect((await hintgate(['audit', 'verify', ...gateway.site.flags])).code).toBe(0)
  })
})
