import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cleanUp } from '../support/clean-up.ts'
import { type Gateway, Site, startReadyGateway, startStdioGateway, stdioServer } from '../support/gateway.ts'
import { type Json, textOf, toolNames, toolsOf } from '../support/raw-mcp.ts'
import {
  DESTROYS,
  READS,
  ScriptedServer,
  type ScriptedTool,
  scripted,
  WRITES,
} from '../support/scripted-server.ts'
import {
  connect,
  dataOf,
  ERAS,
  EVERYTHING,
  type FoundTool,
  retrieve,
  searchUrl,
} from '../support/search-client.ts'
import { StdioClient } from '../support/stdio-client.ts'
import { openWitness, type Witness } from '../support/witness.ts'

let witness: Witness
let gateway: Gateway
let token: string

const TOOLS: readonly ScriptedTool[] = [
  scripted('read_page', { title: 'Read a page', annotations: { ...READS, title: 'Other title' } }),
  scripted('update_page', {
    annotations: WRITES,
    _meta: {
      'com.example/own': { kept: true },
      'io.hintgate/metadata': { classification: { serviceDomains: ['documents'] } },
    },
  }),
  scripted('drop_page', { annotations: DESTROYS }),
  scripted('purge_everything', { annotations: undefined }),
  scripted('mystery', { annotations: undefined }),
]

beforeAll(async () => {
  witness = await openWitness()
  gateway = await startReadyGateway({
    confirm: { read: 'never', write: 'always', destructive: 'never' },
    mcpServers: {
      wiki: new ScriptedServer('wiki', witness, TOOLS).config,
      // Not vouched for: hints of this server that loosen do not count.
      odd: new ScriptedServer('odd', witness, TOOLS, { more: { trust: 'reviewed' } }).config,
    },
    overrides: { wiki: { mystery: { readOnlyHint: true, openWorldHint: false } } },
  })
  token = await gateway.site.token({ permissions: EVERYTHING })
})
afterAll(cleanUp)

interface Listed {
  readonly name: string
  readonly title: string
  readonly annotations: Json
  readonly inputSchema: Json
  readonly _meta: Record<string, Json>
}

const EFFECTIVE = 'io.hintgate/effective'

async function list(era: (typeof ERAS)[number] = 'modern'): Promise<ReadonlyMap<string, Listed>> {
  const client = await connect(gateway.endpoint(), token, era)
  const tools = toolsOf(await client.request('tools/list')) as unknown as Listed[]
  return new Map(tools.map(tool => [tool.name, tool]))
}

describe.each(ERAS)('the direct surface, for a %s client', era => {
  it('shows the effective hints, their sources and their meaning', async () => {
    const tools = await list(era)
    expect(tools.get('wiki__read_page')).toMatchObject({
      title: 'Read a page',
      annotations: READS,
      _meta: {
        [EFFECTIVE]: {
          sources: { readOnlyHint: 'declared', destructiveHint: 'declared', openWorldHint: 'declared' },
          ...{ call_with: 'call_tool_read', risk_level: 1, category: 'read', category_label: 'Reads data' },
          confirm: 'never',
        },
      },
    })
    expect(tools.get('wiki__update_page')?._meta).toMatchObject({
      'com.example/own': { kept: true },
      [EFFECTIVE]: {
        ...{ call_with: 'call_tool_write', risk_level: 2, category: 'write', category_label: 'Changes data' },
        ...{ domains: ['documents'], confirm: 'always' },
      },
    })
    expect(tools.get('wiki__drop_page')?._meta[EFFECTIVE]).toMatchObject({
      ...{
        call_with: 'call_tool_destructive',
        risk_level: 3,
        category: 'delete',
        category_label: 'Deletes data',
      },
      confirm: 'never',
    })
  })

  it('fills in inferred, default and overridden hints and marks them', async () => {
    const tools = await list(era)
    const purge = tools.get('wiki__purge_everything')
    expect(purge?.annotations).toMatchObject({ readOnlyHint: false, destructiveHint: true })
    expect(purge?._meta[EFFECTIVE]).toMatchObject({
      sources: { destructiveHint: 'inferred' },
      call_with: 'call_tool_destructive',
    })
    const mystery = tools.get('wiki__mystery')
    expect(mystery?.annotations).toMatchObject({ readOnlyHint: true, openWorldHint: false })
    expect(mystery?._meta[EFFECTIVE]).toMatchObject({
      sources: { readOnlyHint: 'override', openWorldHint: 'override' },
      call_with: 'call_tool_read',
    })
    for (const tool of tools.values()) {
      expect(Object.keys(tool.annotations)).toEqual(
        expect.arrayContaining(['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint']),
      )
      expect(tool.title).not.toBe('')
    }
  })

  it('does not trust loosening hints of a server that is not vouched for', async () => {
    const tools = await list(era)
    expect(tools.get('odd__read_page')?.annotations.readOnlyHint).toBe(false)
    expect(tools.get('odd__read_page')?._meta[EFFECTIVE]?.call_with).toBe('call_tool_write')
    // Hints that tighten count from any server.
    expect(tools.get('odd__drop_page')?._meta[EFFECTIVE]?.call_with).toBe('call_tool_destructive')
  })
})

describe('all surfaces', () => {
  const asMap = (tools: readonly FoundTool[]) =>
    new Map(tools.map(tool => [tool.id.replace(':', '__'), tool]))

  it('report the same facts about a tool', async () => {
    const client = await connect(searchUrl(gateway), token)
    const found = asMap((await retrieve(client, '', { limit: 50 })).tools)
    const listed = await list()
    expect([...found.keys()].toSorted()).toEqual([...listed.keys()].toSorted())
    for (const [
      name,
      { id, annotations, title, sources, call_with, risk_level, category, domains, confirm },
    ] of found) {
      const facts = { sources, call_with, risk_level, category, domains, confirm }
      expect(listed.get(name), id).toMatchObject({ title, annotations, _meta: { [EFFECTIVE]: facts } })
      const described = dataOf(await client.call('describe_tool', { name: id }))
      expect(described, id).toMatchObject({ ...facts, title, annotations })
    }
  })

  it('put a reading tool into the same category', async () => {
    const LABELS = {
      call_tool_read: 'read',
      call_tool_write: 'write',
      call_tool_destructive: 'delete',
    } as Json
    for (const { name, _meta } of (await list()).values()) {
      const { call_with, category } = _meta[EFFECTIVE] ?? {}
      expect([name, category]).toEqual([name, LABELS[String(call_with)]])
    }
  })
})

describe('hintgate stdio', () => {
  const site = () => new Site({ mcpServers: { s: stdioServer('piped', witness) } })

  it.each([
    ['the search surface by default', [], 'call_tool_read', { name: 's:echo', args: { a: 1 } }],
    ['the direct surface', ['--direct'], 's__echo', { a: 1 }],
    ['one server', ['--server', 's'], 'echo', { a: 1 }],
  ] as const)('serves %s', async (_what, flags, name, args) => {
    const client = new StdioClient(startStdioGateway(site(), flags))
    await client.initialize()
    expect(toolNames(await client.request('tools/list'))).toContain(name)
    expect(textOf(await client.request('tools/call', { name, arguments: args }))).toBe('{"a":1}')
    expect(textOf(await client.modern('tools/call', { name, arguments: args }))).toBe('{"a":1}')
    await client.leave()
  })

  it("applies the agent's scope on the search surface too", async () => {
    const scoped = new Site({
      mcpServers: { s: stdioServer('scoped', witness), t: stdioServer('other', witness) },
      agent_tokens: { reader: { permissions: ['retrieve_tools', 'read'], servers: ['s'] } },
    })
    const client = new StdioClient(startStdioGateway(scoped, ['--agent', 'reader']))
    await client.initialize()
    const names = ['retrieve_tools', 'describe_tool', 'call_tool_read', 'call_tools_read', 'read_result']
    expect(toolNames(await client.request('tools/list'))).toEqual(names)
    const call = (name: string, args: Json) => client.request('tools/call', { name, arguments: args })
    const found = dataOf<{ tools: FoundTool[] }>(await call('retrieve_tools', { query: '', limit: 50 }))
    expect(found.tools.every(tool => tool.id.startsWith('s:') && tool.call_with === 'call_tool_read')).toBe(
      true,
    )
    expect(found.tools.length).toBeGreaterThan(10)
    expect(textOf(await call('call_tool_read', { name: 's:echo', args: { b: 2 } }))).toBe('{"b":2}')
    for (const name of ['s:write', 't:echo'])
      expect((await call('call_tool_read', { name })).result?.isError).toBe(true)
    await client.leave()
    const forbidden = (raw = '') => raw.includes('"name":"write"') || raw.includes('tools/call')
    expect(witness.of('other').filter(({ raw }) => forbidden(raw))).toEqual([])
    expect(witness.of('scoped').filter(({ raw }) => raw?.includes('"name":"write"'))).toEqual([])
  })
})
