import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cleanUp, later } from '../support/clean-up.ts'
import { type Gateway, startReadyGateway } from '../support/gateway.ts'
import { type Json, ModernClient, textOf } from '../support/raw-mcp.ts'

// Unusual lists of tools. They must not affect the tools of other servers.

const tool = (name: string): Json => ({
  name,
  description: 'Answers.',
  inputSchema: { type: 'object' },
  annotations: { readOnlyHint: true, openWorldHint: false },
})

const LISTS = {
  honest: JSON.stringify([tool('echo')]),
  // Few bytes, but more items than a function accepts as arguments.
  zeros: `[${'0,'.repeat(130_900)}0]`,
  endless: JSON.stringify([tool('short'), ...['a', 'b', 'c'].map(letter => tool(letter.repeat(200_000)))]),
}

/** A server with this list of tools. */
async function listing(tools: string): Promise<string> {
  const server = createServer(async (req, res) => {
    if (req.method !== 'POST') return void res.writeHead(405).end()
    const { id, method } = JSON.parse(await text(req)) as { id?: number; method?: string }
    if (id === undefined) return void res.writeHead(202).end()
    const serverInfo = { name: 'l', version: '1' }
    const greeting = { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo }
    const answers: Record<string, string> = {
      initialize: `"result":${JSON.stringify(greeting)}`,
      'tools/list': `"result":{"tools":${tools}}`,
    }
    const answer = answers[method ?? ''] ?? '"error":{"code":-32601,"message":"no"}'
    res.writeHead(200, { 'content-type': 'application/json' }).end(`{"jsonrpc":"2.0","id":${id},${answer}}`)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  later(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`
}

let gateway: Gateway
let token: string

beforeAll(async () => {
  const servers = await Promise.all(
    Object.entries(LISTS).map(
      async ([name, tools]) => [name, { url: await listing(tools), trust: 'trusted' }] as const,
    ),
  )
  gateway = await startReadyGateway({ mcpServers: Object.fromEntries(servers) })
  token = await gateway.site.token({ permissions: 'read,write,destructive,retrieve_tools' })
})
afterAll(cleanUp)

const namesAt = async (url: string): Promise<readonly unknown[]> => {
  const { result } = await new ModernClient(url, token).request('tools/list')
  const tools = result?.tools as readonly Json[] | undefined
  return tools?.map(({ name }) => name) ?? ['no list']
}

describe('an unusual list of tools', () => {
  it('does not affect the tools of other servers', async () => {
    expect(await namesAt(gateway.endpoint())).toEqual(['honest__echo', 'endless__short'])
    const search = new ModernClient(`${gateway.url}/mcp`, token)
    expect(textOf(await search.call('retrieve_tools', { query: 'echo' }))).toContain('honest:echo')
  })

  it('is reduced to its usable tools, and the operator is told', async () => {
    expect(await namesAt(gateway.endpoint('zeros'))).toEqual([])
    expect(await namesAt(gateway.endpoint('endless'))).toEqual(['short'])
    await gateway.says(/\bzeros: 10000 tools are ignored because names must have 1 to 256 characters/)
    await gateway.says(/\bendless: 3 tools are ignored because names must have 1 to 256 characters/)
  })
})
